import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { filesIn } from './listing.ts';
import { commandLine } from './in-process.ts';
import { scaffold } from './scaffold.ts';

describe('scaffold check', () => {
  let cwd = '';
  let schema = '';
  beforeAll(async () => {
    cwd = await scratchFolder('cli-check');
    await commandLine(['new', 'my-api', '--no-install', '--no-git'], { cwd });
    schema = await readFile(join(cwd, 'my-api/schema.yaml'), 'utf8');
  });

  const write = (text: string) => writeFile(join(cwd, 'my-api/schema.yaml'), text);
  const check = (path: string, text = schema) =>
    write(text).then(() => commandLine(['check', path], { cwd }));

  test('finds a fresh project in step, from anywhere, and writes nothing', async () => {
    const before = filesIn(cwd);
    const outside = await check('my-api');
    const inside = await commandLine(['check'], { cwd: join(cwd, 'my-api') });
    const says = 'is valid: 4 models. The project is in step with it.';
    const stderr = expect.stringMatching(
      /^\nWho may do what, besides admins\n( {2}\w+ .*\n){4}\nnote SCF609 .*the dependencies are not installed\.$/,
    );
    expect(outside).toEqual({ code: 0, stdout: `\`my-api/schema.yaml\` ${says}`, stderr });
    expect(inside).toEqual({ code: 0, stdout: `\`schema.yaml\` ${says}`, stderr });
    expect(filesIn(cwd)).toEqual(before);
  });

  test('accepts comments, edits and migrations of the owner', async () => {
    await writeFile(join(cwd, 'my-api/src/app.ts'), '// mine');
    await mkdir(join(cwd, 'my-api/migrations/0002_search'));
    await writeFile(
      join(cwd, 'my-api/migrations/0002_search/up.sql'),
      'CREATE VIEW v AS SELECT 1;',
    );
    expect((await check('my-api', `${schema}\n# a remark\n`)).code).toBe(0);
  });

  test('type-checks code of the owner, which a run without dependencies could not', async () => {
    const mine = join(cwd, 'my-api/src/mine.ts');
    await writeFile(mine, 'export const rows: number = "none";\n');
    const without = await check('my-api');
    expect(without.code).toBe(0);
    expect(without.stderr).toContain('note SCF508  Your code was not type-checked: TypeScript is');
    await symlink(join(root, 'node_modules'), join(cwd, 'my-api/node_modules'), 'dir');
    const { code, stderr } = await check('my-api');
    await rm(join(cwd, 'my-api/node_modules'));
    await rm(mine);
    expect(code).toBe(5);
    expect(stderr).toMatch(/error SCF508 {2}Type 'string' .*\n {2}--> my-api\/src\/mine.ts:1:14\n/);
    const errors = stderr.split('\nerror SCF').length - 1;
    const closing = `4 models. The project has ${errors} problem`;
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(closing);
  });

  test('has status 5 and names the files when the schema means something else', async () => {
    const changed = schema.replace('title: string(3..160)', 'title: string(3..200)');
    const { code, stdout, stderr } = await check('my-api', changed);
    expect(code).toBe(5);
    expect(stdout).toMatch(/^Post\n {2}update {4}src\/posts\/schema\.ts\n/);
    expect(stdout).not.toContain('src/tags/');
    expect(stderr).toMatch(
      /\nerror SCF502 {2}The project is behind its schema: \d+ files? would change\.\n/,
    );
  });

  test('says who may do what, a line a model, and what of it changes', async () => {
    const { stderr } = await check('my-api');
    expect(stderr).toContain(
      '\n  Post     list, read: public; create: authenticated; update: owner, editor; delete: owner, admin\n',
    );
    expect(stderr).not.toContain('SCF518');
    const changed = await check('my-api', schema.replace(/^ {4}access: .*editor.*$/m, ''));
    const note =
      'note SCF518  Who may do what with `Tag` changes: list: public → authenticated (narrower); read: public → authenticated (narrower); create: editor → admin (narrower); update: editor → admin (narrower).';
    expect(changed.stderr).toContain(note);
  });

  test('names the files that a new model brings and a removed one leaves behind', async () => {
    const added = `${schema}  Link:\n    fields: { url: url }\n`;
    expect((await check('my-api', added)).stdout).toContain('create    src/links/schema.ts');
    const removed = schema.replace(/ {2}Comment:[\s\S]*?(?= {2}Tag:)/, '');
    const { stdout, stderr } = await check('my-api', removed);
    expect(stdout).toContain('delete    src/comments/schema.ts');
    expect(stderr).toContain('error SCF411  `Comment`');
  });

  test('has status 3 and shows all problems of a schema', async () => {
    const wrong = schema
      .replace('body: text\n', 'body: tekst\n')
      .replace('author: User', 'author: Usr');
    const { code, stdout, stderr } = await check('my-api', wrong);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('`tekst`');
    expect(stderr).toContain('`Usr`');
  });

  test('takes a schema file alone, and standard input', async () => {
    await write(schema);
    await writeFile(join(cwd, 'alone.yaml'), schema);
    expect(await commandLine(['check', 'alone.yaml'], { cwd })).toMatchObject({
      code: 0,
      stdout: '`alone.yaml` is valid: 4 models.',
    });
    const piped = await scaffold(['check', '-'], { cwd, stdin: { text: schema } });
    expect(piped).toMatchObject({ code: 0, stdout: '`stdin` is valid: 4 models.' });
  });

  test('has status 2 where there is no schema', async () => {
    const { code, stderr } = await commandLine(['check'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('There is no `schema.yaml` and no `schema.json` in `.`.');
  });

  test('has status 2 where there are two', async () => {
    await write(schema);
    await writeFile(join(cwd, 'my-api/schema.json'), '{ "version": 1, "models": {} }');
    const { code, stderr } = await commandLine(['check', 'my-api'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('There are both `schema.yaml` and `schema.json` in `my-api`.');
    await writeFile(join(cwd, 'my-api/schema.json'), '{ "$ref": "https://example.test" }');
    expect(await commandLine(['check', 'my-api'], { cwd })).toMatchObject({ code: 0 });
  });

  test('does not trust a damaged record', async () => {
    await write(schema);
    await writeFile(join(cwd, 'my-api/.scaffold/lock.json'), '{"files":{"../x":1}}');
    const { code, stderr } = await commandLine(['check', 'my-api'], { cwd });
    expect(code).toBe(6);
    expect(stderr).toContain('`.scaffold/lock.json` is damaged');
  });
});
