import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { basePath, hashText } from '../../src/project/paths.ts';
import { isProject } from '../../src/project/project-folder.ts';
import { readProject } from '../../src/project/read-project.ts';
import { printRecord, readRecord, type ProjectRecord } from '../../src/project/record.ts';
import { actions, makeProject, type TestProject } from './support/project.ts';
import { library, withSubtitle } from './support/schemas.ts';

const path = 'src/books/schema.ts';
const lock = '.scaffold/lock.json';
const snapshot = '.scaffold/schema.json';
const note = (text: string) => `// Mine.\n${text}`;

function changeRecord(
  project: TestProject,
  change: (record: ProjectRecord) => ProjectRecord,
): void {
  project.edit(lock, (text) => printRecord(change(readRecord(text))));
}

describe('a base that is lost', () => {
  test.each([
    ['was deleted', (project: TestProject) => project.remove(basePath(path))],
    ['was edited by hand', (project: TestProject) => project.edit(basePath(path), note)],
    [
      'is a folder',
      (project: TestProject) => {
        project.remove(basePath(path));
        mkdirSync(join(project.folder, basePath(path)));
      },
    ],
  ])('because it %s, is made again from the last schema', async (what, lose) => {
    const project = await makeProject(library);
    project.edit(path, note);
    lose(project);
    const run = () => project.regenerate(withSubtitle);
    if (what === 'is a folder') {
      await expect(run()).rejects.toThrow(`\`${basePath(path)}\` cannot be written`);
      return;
    }
    expect(actions(await run())).toContain(`merge ${path}`);
    expect(project.read(path)).toMatch(/^\/\/ Mine\.\n[^]*subtitle/);
    expect(hashText(project.read(basePath(path)))).toBe(
      readRecord(project.read(lock)).files[path]?.base,
    );
  });

  test('and was made by another version: what differs belongs to the owner, and the change arrives', async () => {
    const project = await makeProject(library);
    const older = project.read(path).replace("name: 'Book'", "name: 'Book', colour: 'green'");
    project.write(path, older);
    project.remove(basePath(path));
    changeRecord(project, (record) => ({
      ...record,
      templates: hashText('others'),
      files: fileWith(record, { base: hashText(older) }),
    }));
    // Unchanged since: then the base is not needed.
    expect(actions(await project.plan(library))).toEqual([`update ${path}`]);
    project.edit(path, note);
    await project.regenerate(withSubtitle);
    expect(project.read(path)).toMatch(/^\/\/ Mine\.\n[^]*subtitle[^]*colour: 'green'/);
  });
});

function fileWith({ files }: ProjectRecord, facts: object): ProjectRecord['files'] {
  const file = files[path];
  if (!file) throw new Error('The record does not know the file.');
  return { ...files, [path]: { ...file, ...facts } };
}

describe('a record', () => {
  test('that is missing means that there is no project', async () => {
    const project = await makeProject(library);
    rmSync(join(project.folder, lock));
    expect(isProject(project.folder)).toBe(false);
    await expect(readProject(project.folder)).rejects.toMatchObject({ code: 'SCF503' });
  });

  test.each([
    ['torn', (text: string) => text.slice(0, 200)],
    ['merged by git', (text: string) => `<<<<<<< HEAD\n${text}=======\n>>>>>>> branch\n`],
    ['leading out of the project', (text: string) => text.replace(`"${path}"`, '"../../x.ts"')],
    ['absolute', (text: string) => text.replace(`"${path}"`, '"/etc/passwd"')],
  ])('that is %s is refused, and nothing is written', async (_, change) => {
    const project = await makeProject(library);
    project.edit(lock, change);
    const before = project.files();
    await expect(project.regenerate(withSubtitle)).rejects.toMatchObject({ code: 'SCF501' });
    expect(project.files()).toEqual(before);
  });

  test('of a newer scaffold is refused', async () => {
    const project = await makeProject(library);
    project.edit(lock, (text) => text.replace(/"version": "[^"]+"/, '"version": "999.0.0"'));
    await expect(readProject(project.folder)).rejects.toMatchObject({ code: 'SCF504' });
  });

  test('of an older scaffold, with the same templates: the record alone is written', async () => {
    const project = await makeProject(library);
    project.edit(lock, (text) => text.replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
    expect(await project.isUpToDate(library)).toBe(false);
    const { plan } = await project.regenerate(library);
    expect(plan.changes).toEqual([]);
    expect(plan.recordWrites.map((write) => write.path)).toEqual([lock]);
  });

  test('of the first format, which listed the schema and kept bases of migrations', async () => {
    const project = await makeProject(library);
    const old = 'schema.yaml';
    project.write(basePath(old), project.read(old));
    changeRecord(project, (record) => ({
      ...record,
      files: {
        ...record.files,
        [old]: { id: old, base: hashText(library), mode: '644', kind: 'yaml', policy: 'yours' },
      },
    }));
    project.write(old, withSubtitle);
    await project.regenerate(withSubtitle);
    expect(project.read(old)).toBe(withSubtitle);
    expect(project.exists(basePath(old))).toBe(false);
    expect(Object.keys(readRecord(project.read(lock)).files)).not.toContain(old);
  });
});

test.each([
  ['missing', (project: TestProject) => project.remove(snapshot)],
  ['of another run', (project: TestProject) => project.edit(snapshot, (text) => `${text}\n`)],
])('a last schema that is %s is refused', async (_, damage) => {
  const project = await makeProject(library);
  damage(project);
  await expect(readProject(project.folder)).rejects.toMatchObject({ code: 'SCF501' });
});

test('a model that is removed while another takes its folder: no file of the owner’s is lost', async () => {
  const project = await makeProject(library);
  const swapped = library
    .replace(/ {2}Book:[^]*?(?= {2}Shelf)/, '')
    .replace('  Shelf:\n', '  Book:\n    was: Shelf\n');
  project.edit('src/books/queries.ts', note);
  const before = project.files();
  await expect(project.regenerate(swapped, { accepted: ['SCF411:Book'] })).rejects.toThrow(
    '`src/books/queries.ts` cannot be written',
  );
  expect(project.files()).toEqual(before);
});

test.each([lock, snapshot, '.scaffold/conflicts.json'])('a folder %s is refused', async (name) => {
  const project = await makeProject(library);
  rmSync(join(project.folder, name), { force: true });
  mkdirSync(join(project.folder, name));
  await expect(readProject(project.folder)).rejects.toMatchObject({
    code: 'SCF501',
    message: `\`${name}\` is not a file.`,
  });
});
