import { describe, expect, test } from 'vitest';
import { basePath, hashText, nextBasePath } from '../../src/project/paths.ts';
import { readOpenConflicts } from '../../src/project/open-conflicts.ts';
import { readProject } from '../../src/project/read-project.ts';
import { readRecord } from '../../src/project/record.ts';
import { planResolution, type Resolution } from '../../src/project/plan-resolution.ts';
import { actions, makeProject, type TestProject } from './support/project.ts';
import { library, renamedBook, withMagazine } from './support/schemas.ts';

const longer = library.replace('string(1..100)', 'string(1..200)');
const accepted = ['SCF441:Book', 'SCF441:Volume', 'SCF441:Book.title'];
const path = 'src/books/schema.ts';

/** The owner and the schema have both changed how long a title may be. */
async function makeConflict(wish = {}): Promise<TestProject> {
  const project = await makeProject(library);
  project.edit(path, (text) => text.replaceAll('max: 100', 'max: 50'));
  await project.regenerate(longer, { accepted, ...wish });
  return project;
}

async function resolveAll(project: TestProject, side: Resolution, paths: readonly string[] = []) {
  const plan = await planResolution(await readProject(project.folder), paths, side);
  await project.apply(plan);
  return plan;
}

describe('two changes to one place', () => {
  test('are put between markers that name the part of the schema, and in a file for tools', async () => {
    const project = await makeConflict();
    const text = project.read(path);
    expect(text).toMatch(/<<<<<<< yours\n[^]*max: 50[^]*=======\n[^]*max: 200/);
    expect(text).toContain('>>>>>>> scaffold (Book.title)');
    const [open] = (await readProject(project.folder)).openConflicts;
    expect(open).toMatchObject({ path, kind: 'marked', conflicts: [{ elements: ['Book.title'] }] });
    const line = text.split('\n')[(open?.conflicts[0]?.line ?? 0) - 1];
    expect(line).toBe('<<<<<<< yours');
  });

  test('hold up nothing else, and only the base of that file stays as it was', async () => {
    const project = await makeProject(library);
    const base = project.read(basePath(path));
    project.edit(path, (text) => text.replaceAll('max: 100', 'max: 50'));
    const done = actions(await project.regenerate(longer, { accepted }));
    expect(done).toContain(`conflict ${path}`);
    expect(done).toContain('update migrations/schema.sql');
    expect(project.read(basePath(path))).toBe(base);
    expect(project.read(nextBasePath(path))).toContain('max: 200');
    expect(readRecord(project.read('.scaffold/lock.json')).files[path]).toMatchObject({
      state: 'conflict',
      base: hashText(base),
    });
  });

  test('stop the next run until they are resolved', async () => {
    const project = await makeConflict();
    expect(await project.isUpToDate(longer)).toBe(false);
    await resolveAll(project, 'ours');
    expect(await project.isUpToDate(longer)).toBe(true);
  });

  test.each([
    ['ours', 50],
    ['theirs', 200],
  ] as const)('resolved as %s', async (side, length) => {
    const project = await makeConflict();
    await resolveAll(project, side);
    expect(project.read(path)).toContain(`max: ${length}`);
    expect(project.read(path)).not.toContain('<<<<<<<');
    expect(project.read(basePath(path))).toContain('max: 200');
    expect(project.exists(nextBasePath(path))).toBe(false);
    expect(project.exists('.scaffold/conflicts.json')).toBe(false);
    expect((await project.plan(longer)).plan).toMatchObject({ changes: [], recordWrites: [] });
    // A later change is compared with what was resolved, and not with what was there before.
    expect(
      actions(await project.regenerate(withMagazine.replace('1..100', '1..200'))),
    ).not.toContain(`conflict ${path}`);
  });

  test('resolved by hand, once no markers are left', async () => {
    const project = await makeConflict();
    await expect(resolveAll(project, 'edited')).rejects.toThrow('still has conflict markers');
    project.edit(path, (text) =>
      text.replace(/<{7}[^]*>{7}[^\n]*\n/, '    title: t.Text({ min: 1, max: 99 }),\n'),
    );
    const text = project.read(path);
    await resolveAll(project, 'edited', [path]);
    expect(project.read(path)).toBe(text);
    expect(await project.isUpToDate(longer)).toBe(true);
  });

  test.each([
    ['ours', 50],
    ['theirs', 200],
  ] as const)('are never open with %s', async (onConflict, length) => {
    const project = await makeConflict({ onConflict });
    expect(project.read(path)).toContain(`max: ${length}`);
    expect(await project.isUpToDate(longer)).toBe(true);
  });

  test('keep the line ends of the file, also when they are resolved', async () => {
    const project = await makeProject(library);
    project.edit(path, (text) => text.replaceAll('max: 100', 'max: 50').replaceAll('\n', '\r\n'));
    await project.regenerate(longer, { accepted });
    expect(project.read(path)).toMatch(/^>>>>>>> scaffold \(Book\.title\)\r$/m);
    await resolveAll(project, 'theirs');
    expect(project.read(path)).toContain('max: 200');
    expect(project.read(path).replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('move with a file that moves with its model', async () => {
    const project = await makeProject(library);
    project.edit(path, (text) => text.replaceAll('max: 100', 'max: 50'));
    const both = renamedBook.replace('string(1..100)', 'string(1..200)');
    const done = actions(await project.regenerate(both, { accepted }));
    const to = 'src/volumes/schema.ts';
    expect(done).toContain(`conflict ${path} → ${to}`);
    expect(project.exists(path)).toBe(false);
    await resolveAll(project, 'theirs');
    expect(project.read(to)).toContain('max: 200');
    expect((await project.plan(both)).plan).toMatchObject({ changes: [], recordWrites: [] });
  });

  test('that somebody left in a file stop a merge of that file', async () => {
    const project = await makeProject(library);
    project.edit(path, (text) => `<<<<<<< HEAD\n=======\n// Theirs.\n>>>>>>> branch\n${text}`);
    await expect(project.plan(longer, { accepted })).rejects.toThrow(
      `There are conflict markers in \`${path}\`.`,
    );
    expect((await project.plan(library)).plan).toMatchObject({ changes: [], kept: 1 });
  });
});

describe('a file that both made', () => {
  const ours = 'export const mine = 1;\n';
  const added = 'src/magazines/queries.ts';

  test.each([
    ['ours', ours],
    ['edited', ours],
    ['theirs', 'listMagazines'],
  ] as const)('is resolved as %s', async (side, expected) => {
    const project = await makeProject(library);
    project.write(added, ours);
    await project.regenerate(withMagazine);
    await resolveAll(project, side);
    expect(project.read(added)).toContain(expected);
    expect(project.read(basePath(added))).toContain('listMagazines');
    expect((await project.plan(withMagazine)).plan).toMatchObject({
      changes: [],
      recordWrites: [],
    });
  });
});

test('a path without a conflict cannot be resolved', async () => {
  const project = await makeConflict();
  await expect(resolveAll(project, 'ours', ['src/app.ts'])).rejects.toThrow(
    `No conflict is open in \`src/app.ts\``,
  );
});

test('when the list of conflicts is lost, the record still knows of them', async () => {
  const project = await makeConflict();
  project.remove('.scaffold/conflicts.json');
  await resolveAll(project, 'theirs');
  expect(project.read(path)).toContain('max: 200');
  expect(await project.isUpToDate(longer)).toBe(true);
});

test('a list of conflicts that 0.6.0 wrote is read', async () => {
  const project = await makeConflict();
  const record = readRecord(project.read('.scaffold/lock.json'));
  const open = readOpenConflicts(project.folder, record);
  project.edit('.scaffold/conflicts.json', (text) => text.replaceAll('"ours":', '"mine":'));
  expect(readOpenConflicts(project.folder, record)).toEqual(open);
});

test('a list of conflicts that is damaged is named', async () => {
  const project = await makeConflict();
  project.edit('.scaffold/conflicts.json', (text) => text.replace(path, '../../etc/passwd'));
  const record = readRecord(project.read('.scaffold/lock.json'));
  expect(() => readOpenConflicts(project.folder, record)).toThrow('conflicts.json` is damaged');
});

describe('the program that applies migrations', () => {
  const program = 'migrations/migrate.js';

  /** As an earlier version made it. */
  async function withOlder(): Promise<{ project: TestProject; now: string }> {
    const project = await makeProject(library);
    const now = project.read(program);
    const older = now.replace('// The program', '// A program');
    project.edit('.scaffold/lock.json', (text) => text.replace(hashText(now), hashText(older)));
    project.write(program, older);
    project.write(basePath(program), older);
    return { project, now };
  }

  test('is replaced as a whole', async () => {
    const { project, now } = await withOlder();
    expect(actions(await project.regenerate(library))).toContain(`update ${program}`);
    expect(project.read(program)).toBe(now);
  });

  test('is never merged with what its owner wrote into it', async () => {
    const { project, now } = await withOlder();
    project.edit(program, (text) => `${text}// mine\n`);
    const ours = project.read(program);
    expect(actions(await project.regenerate(library))).toContain(`conflict ${program}`);
    expect(project.read(program)).toBe(ours);
    await resolveAll(project, 'theirs');
    expect(project.read(program)).toBe(now);
    expect(await project.isUpToDate(library)).toBe(true);
  });

  test.each([
    ['ours', 'adopt', 'Yours stays.'],
    ['theirs', 'update', 'You asked for scaffold’s version.'],
    ['markers', 'conflict', 'Yours was left as it is.'],
  ] as const)('is not reported as made by both: %s', async (onConflict, action, outcome) => {
    const { project } = await withOlder();
    project.edit(program, (text) => `${text}// mine\n`);
    const { plan } = await project.regenerate(library, { onConflict });
    expect(plan.changes.find(({ path: of }) => of === program)).toMatchObject({
      action,
      reason: `You edited a program that scaffold replaces as a whole. ${outcome}`,
    });
  });
});
