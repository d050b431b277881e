import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { filesIn } from './listing.ts';
import { scaffold } from './scaffold.ts';

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

/** The one object, which is all that is printed anywhere. */
async function answer(args: readonly string[]) {
  const { code, stdout, stderr } = await scaffold([...args, '--json'], { cwd });
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

test('a wrong schema is diagnosed with places', async () => {
  const { code, diagnostics, changes } = await answer(['new', 'x', '--schema', 'wrong.yaml']);
  expect({ code, changes }).toEqual({ code: 3, changes: [] });
  expect(diagnostics).toEqual([
    expect.objectContaining({ severity: 'error', file: 'wrong.yaml', line: 3, column: 35 }),
  ]);
});

test.each([
  [['new', 'x', '--bad'], 2, 'SCF001'],
  [['new'], 2, 'SCF002'],
  [['check', 'nowhere'], 2, 'SCF003'],
  [['new', '.'], 7, 'SCF006'],
  [['nonsense'], 2, 'SCF001'],
])('scaffold %j fails as an object', async (args, status, errorCode) => {
  const { code, diagnostics } = await answer(args);
  expect(code).toBe(status);
  expect(diagnostics).toEqual([expect.objectContaining({ code: errorCode, severity: 'error' })]);
});

test('check, explain and completion answer as objects', async () => {
  expect(await answer(['check', 'my-api'])).toMatchObject({ code: 0, changes: [] });
  expect((await answer(['explain', 'SCF201'])).explanation).toMatchObject({ code: 'SCF201' });
  expect((await answer(['completion', 'bash'])).script).toContain('complete -o default');
});
