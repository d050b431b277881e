import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { blogProject } from './blog-project.ts';
import { commandLine } from './in-process.ts';
import { filesIn } from './listing.ts';

const schema = JSON.parse(readFileSync(join(root, 'docs/output.schema.json'), 'utf8'));
const isValid = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile({
  ...schema,
  additionalProperties: false,
});

let cwd = '';
beforeAll(async () => {
  cwd = await scratchFolder('cli-json');
  await writeFile(
    join(cwd, 'wrong.yaml'),
    'version: 1\napp: { name: a }\nmodels: { Note: { fields: { body: tekst } } }\n',
  );
});

const answer = (args: readonly string[]) => answerIn(cwd, args);

/** The one object, which is all that is printed anywhere. */
async function answerIn(folder: string, args: readonly string[]) {
  const { code, stdout, stderr } = await commandLine([...args, '--json'], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout).not.toContain('\n');
  const printed = JSON.parse(stdout);
  expect(isValid(printed), JSON.stringify(isValid.errors)).toBe(true);
  expect(printed.ok).toBe(code === 0);
  return { code, ...printed };
}

test('new says what it wrote, the migration and what comes next', async () => {
  const printed = await answer(['new', 'my-api', '--no-install']);
  expect(printed).toMatchObject({
    code: 0,
    command: 'new',
    migration: '0001_initial',
    diagnostics: [],
  });
  expect(printed.folder).toBe(join(cwd, 'my-api'));
  expect(printed.next.slice(0, 3)).toEqual(['cd my-api', 'npm install', 'npm run dev']);
  const paths = printed.changes.map(({ path }: { path: string }) => path);
  expect(filesIn(printed.folder)).toEqual(expect.arrayContaining(paths));
  const ofPost = { path: 'src/posts/schema.ts', action: 'create', model: 'Post' };
  expect(printed.changes).toContainEqual(ofPost);
});

test('new --dry-run says the same and writes nothing', async () => {
  const printed = await answer(['new', 'unmade', '--dry-run']);
  expect(printed).toMatchObject({ code: 0, migration: '0001_initial' });
  expect(printed.changes.length).toBeGreaterThan(20);
  expect(filesIn(cwd).filter((path) => path.startsWith('unmade'))).toEqual([]);
});

test('a wrong schema is reported with places', async () => {
  const { code, diagnostics, changes, disk } = await answer(['new', 'x', '--schema', 'wrong.yaml']);
  expect({ code, changes }).toEqual({ code: 3, changes: [] });
  expect(diagnostics).toEqual([
    expect.objectContaining({ severity: 'error', file: 'wrong.yaml', line: 3, column: 35 }),
  ]);
  expect(disk).toBe('Nothing was written.');
});

test.each([
  [['new', 'x', '--bad'], 2, 'SCF001'],
  [['new'], 2, 'SCF002'],
  [['check', 'nowhere'], 2, 'SCF003'],
  [['new', '.'], 7, 'SCF006'],
  [['nonsense'], 2, 'SCF001'],
])('scaffold %j fails as an object', async (args, status, errorCode) => {
  const { code, diagnostics, disk } = await answer(args);
  expect(code).toBe(status);
  expect(diagnostics).toEqual([expect.objectContaining({ code: errorCode, severity: 'error' })]);
  expect(disk).toBe('Nothing was written.');
});

test('an import that fails half way says what it wrote', async () => {
  const source = join(cwd, 'posts.prisma');
  await writeFile(source, 'model Post {\n  id Int @id\n}\n');
  await mkdir(join(cwd, 'half', 'import-report.md'), { recursive: true });
  const printed = await answer(['import', 'prisma', source, '--out', 'half', '--force']);
  expect(printed).toMatchObject({ code: 6, disk: 'Only `half/schema.yaml` was written.' });
});

test('check and explain answer as objects', async () => {
  expect(await answer(['check', 'my-api'])).toMatchObject({ code: 0, changes: [] });
  expect((await answer(['explain', 'SCF201'])).explanation).toMatchObject({ code: 'SCF201' });
});

describe('regenerate, resolve and check of a project', () => {
  test('report the plan with reasons, the lines, the migration and what it risks', async () => {
    const project = await blogProject();
    await project.edit('schema.yaml', 'title: string(3..160)', 'heading: string(3..160)');
    const open = await answerIn(project.folder, ['regenerate']);
    expect(open).toMatchObject({ code: 7, changes: [], disk: 'Nothing was written.' });
    expect(open.decisions).toEqual([
      {
        code: 'SCF509',
        target: 'Post.title',
        answers: ['--rename Post.title=heading', '--accept SCF412:Post.title'],
      },
    ]);
    const looked = await answerIn(project.folder, [
      'regenerate',
      '--rename',
      'Post.title=heading',
      '--diff',
    ]);
    expect(looked).toMatchObject({ code: 0, migration: '0002_rename_post_title', next: [] });
    expect(looked.changes).toContainEqual({
      path: 'src/posts/schema.ts',
      action: 'update',
      model: 'Post',
      reason: expect.stringMatching(/^[A-Z].*\.$/),
      diff: expect.stringContaining('+    heading:'),
    });
    expect(looked.hazards).toEqual([
      expect.objectContaining({ code: 'SCF441', target: 'Post.heading', accept: null }),
    ]);
    const behind = await answerIn(project.folder, ['check']);
    expect(behind).toMatchObject({ code: 5, command: 'check' });
    expect(behind.diagnostics.map(({ code }: { code: string }) => code)).toContain('SCF502');
  });

  test('report conflicts with their three texts, and everything behind them', async () => {
    const project = await blogProject();
    await project.edit(
      'src/posts/policy.ts',
      "anyOf(owner('author_id'), role('editor'))",
      'signedIn',
    );
    await project.edit('schema.yaml', 'update: [owner, editor]', 'update: [owner]');
    await project.edit('schema.yaml', '    order_by: -published_at\n', '');
    await project.edit('schema.yaml', 'body: text', 'a: int?\n      b: int?\n      body: text');
    const conflict = {
      path: 'src/posts/policy.ts',
      kind: 'marked',
      line: 9,
      elements: ['Post.access'],
      where: expect.any(String),
      yours: '  update: signedIn,\n',
      base: "  update: anyOf(owner('author_id'), role('editor')),\n",
      scaffold: "  update: owner('author_id'),\n",
    };
    const written = await answerIn(project.folder, ['regen']);
    expect(written).toMatchObject({ code: 4, command: 'regenerate', conflicts: [conflict] });
    expect(written.next).toContain('npx scaffold resolve');
    expect(await answerIn(project.folder, ['regenerate'])).toMatchObject({
      code: 4,
      disk: 'Nothing was written.',
    });
    expect(await answerIn(project.folder, ['resolve'])).toMatchObject({
      code: 4,
      conflicts: [conflict],
    });
    const resolved = await answerIn(project.folder, ['resolve', '--theirs']);
    expect(resolved).toMatchObject({ code: 0, command: 'resolve', conflicts: [] });
  });
});
