import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { root } from '../support/root.ts';
import { run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { commandLine } from './in-process.ts';
import { filesIn, listing } from './listing.ts';
import { scaffold, type Surroundings } from './scaffold.ts';

const offline = ['--no-install', '--no-git'];

let cwd = '';
beforeEach(async () => {
  cwd = await scratchFolder('cli-new');
});

/** As a process only where it reads from one. */
const scaffoldHere = (args: readonly string[], stdin?: Surroundings['stdin']) =>
  stdin ? scaffold(args, { cwd, stdin }) : commandLine(args, { cwd });

const readProject = (path: string) => readFile(join(cwd, 'my-api', path), 'utf8');

describe('scaffold new', () => {
  test('writes exactly the files that it lists, and the record of them', async () => {
    const { code, stdout, stderr } = await scaffoldHere(['new', 'my-api', ...offline]);
    expect(code).toBe(0);
    const listed = stdout.split('\n').map((line) => /^create {2}(\S.*)$/.exec(line)?.[1] ?? line);
    expect(listed).toEqual(expect.arrayContaining(['.env', 'package.json', 'src/server.ts']));
    const own = /^\.scaffold\/(base|lock\.json|schema\.json)/;
    const files = filesIn(join(cwd, 'my-api'));
    expect(files.filter((path) => !own.test(path))).toEqual(listed);
    expect(files.filter((path) => own.test(path))).toContain('.scaffold/lock.json');
    expect(stderr).toContain('cd my-api\n  npm install\n  npm run dev');
    expect(stderr).toContain(
      '\n  Tag      list, read: public; create, update: editor; delete: admin\n',
    );
  });

  test('writes the same files, except for the secret, whenever it runs', async () => {
    for (const folder of ['one', 'two'])
      await scaffoldHere(['new', `${folder}/my-api`, ...offline]);
    const compared = await run('diff', ['--recursive', '--exclude=.env', 'one', 'two'], { cwd });
    expect(compared).toEqual({ code: 0, stdout: '', stderr: '' });
    const secrets = ['one', 'two'].map((folder) =>
      readFile(join(cwd, folder, 'my-api/.env'), 'utf8'),
    );
    const [first, second] = await Promise.all(secrets);
    expect(first).toMatch(/^AUTH_SECRET_KEY=[0-9a-f]{96}$/m);
    expect(first).not.toBe(second);
  });

  test('keeps the secret from everybody else and from git', async () => {
    await scaffoldHere(['new', 'my-api', '--no-install']);
    expect((await stat(join(cwd, 'my-api/.env'))).mode & 0o777).toBe(0o600);
    const committed = await run('git', ['ls-files'], { cwd: join(cwd, 'my-api') });
    expect(committed.stdout.split('\n')).not.toContain('.env');
    expect(committed.stdout.split('\n')).toContain('.env.example');
  });

  test.each([
    ['my-shop', 'my-shop'],
    ['My Shop!', 'my-shop'],
    ['2026', '2026'],
    ['日本', 'notes'],
    ['node_modules', 'node-modules'],
  ])('in the folder `%s` the example is called %s', async (folder, name) => {
    await scaffoldHere(['new', folder, '--example', 'minimal', ...offline]);
    const schema = await readFile(join(cwd, folder, 'schema.yaml'), 'utf8');
    expect(parseSchema(schema).schema?.app.name.value).toBe(name);
    const { name: found } = JSON.parse(await readFile(join(cwd, folder, 'package.json'), 'utf8'));
    expect(found).toBe(name);
    expect((await scaffoldHere(['check', folder])).code).toBe(0);
  });

  test.each([
    ['yaml', 'version: 1\nmodels:\n  Note: { fields: { body: text } }\n', 'my-api'],
    ['json', '{ "version": 1, "models": { "Note": { "fields": { "body": "text" } } } }', 'my-api'],
    [
      'yaml',
      'version: 1\napp: { name: notes }\nmodels: { Note: { fields: { a: text } } }\n',
      'notes',
    ],
  ])('a schema without a name gets that of the folder (%s)', async (ending, text, name) => {
    await writeFile(join(cwd, `models.${ending}`), text);
    const args = ['new', 'my-api', '--schema', `models.${ending}`, ...offline];
    expect((await scaffoldHere(args)).code).toBe(0);
    expect(JSON.parse(await readProject('package.json')).name).toBe(name);
  });

  test.each([
    [
      '# yaml-language-server: $schema=../scaffold/docs/schema.v1.json',
      './.scaffold/schema.v1.json',
    ],
    ['# yaml-language-server: $schema=./own.json', './own.json'],
  ])('an editor finds the keys of the language from the project, too: %s', async (line, there) => {
    const text = `${line}\nversion: 1\nmodels:\n  Note: { fields: { body: text } }\n`;
    await scaffoldHere(['new', 'my-api', '--schema', '-', ...offline], { text });
    const [first] = (await readProject('schema.yaml')).split('\n');
    expect(first).toBe(`# yaml-language-server: $schema=${there}`);
  });

  test.each(['blog', 'shop', 'minimal'])('makes the example %s', async (example) => {
    const { code } = await scaffoldHere(['new', 'my-api', '--example', example, ...offline]);
    expect(code).toBe(0);
    const file = join(root, 'templates/examples', `${example}.yaml`);
    const named = (await readFile(file, 'utf8')).replace(/^  name: .*$/m, '  name: my-api');
    expect(await readProject('schema.yaml')).toBe(named);
  });

  test('reads a schema from a file, in YAML and in JSON, and from standard input', async () => {
    const yaml = 'version: 1\napp: { name: notes }\nmodels:\n  Note: { fields: { body: text } }\n';
    const json = JSON.stringify({
      version: 1,
      app: { name: 'notes' },
      models: { Note: { fields: { body: 'text' } } },
    });
    await writeFile(join(cwd, 'notes.yaml'), yaml);
    await writeFile(join(cwd, 'notes.json'), json);
    const runs = [
      await scaffoldHere(['new', 'a', '--schema', 'notes.yaml', ...offline]),
      await scaffoldHere(['new', 'b', '--schema', 'notes.json', ...offline]),
      await scaffoldHere(['new', 'c', '--schema', '-', ...offline], { text: yaml }),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const other of ['b', 'c']) {
      const args = [
        '--recursive',
        '--exclude=.env',
        '--exclude=schema.*',
        '--exclude=lock.json',
        '--exclude=meta.json',
      ];
      const compared = await run('diff', [...args, 'a', other], { cwd });
      expect(compared.stdout.replaceAll(/^Only in \S+: schema\..*\n?/gm, '')).toBe('');
    }
  });

  test('--dry-run lists the same and writes nothing', async () => {
    const dry = await scaffoldHere(['new', 'my-api', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(listing(cwd)).toEqual([]);
    expect((await scaffoldHere(['new', 'my-api', ...offline])).stdout).toBe(dry.stdout);
  });

  test('--quiet says nothing when all is well; a dry run still lists the files', async () => {
    const dry = await scaffoldHere(['new', 'my-api', '--quiet', '--dry-run', ...offline]);
    expect(dry.stdout).toContain('create  package.json\n');
    const { stdout, stderr } = await scaffoldHere(['new', 'my-api', '--quiet', ...offline]);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    expect(await readProject('package.json')).toContain('"my-api"');
  });

  test('makes the missing folders of a path, and quotes one that needs it', async () => {
    const { code, stderr } = await scaffoldHere(['new', "deep/er/it's here", ...offline]);
    expect(code).toBe(0);
    const [, command = ''] = /^ {2}(cd .*)$/m.exec(stderr) ?? [];
    const moved = await run('bash', ['-c', `${command} && ls package.json`], { cwd });
    expect(moved).toMatchObject({ code: 0, stdout: 'package.json' });
  });

  test('makes a project in the current folder when it is empty', async () => {
    const { code, stderr } = await scaffoldHere(['new', '.', ...offline]);
    expect(code).toBe(0);
    expect(stderr).not.toContain('cd ');
    expect(listing(cwd)).toContain('package.json');
  });
});

const newOnPostgres = async (file: string, text: string) => {
  await writeFile(join(cwd, file), text);
  return scaffoldHere(['new', 'my-api', '--schema', file, '--database', 'postgres', ...offline]);
};

describe('--database is written into the schema that the project keeps', () => {
  test.each([
    [
      'over the one that is there',
      'database: sqlite   # small\n',
      'database: postgres   # small\n',
    ],
    ['over a quoted one', "database: 'sqlite'\n", "database: 'postgres'\n"],
    ['where there is none', '', 'database: postgres\n'],
  ])('%s, and nothing else changes', async (_, before, after) => {
    expect(await newOnPostgres('models.yaml', schema(before))).toMatchObject({ code: 0 });
    expect(await readProject('schema.yaml')).toBe(schema(after));
    expect(await readProject('package.json')).toContain('"pg"');
  });

  test('in JSON too', async () => {
    const text =
      '{"version":1,"app":{"name":"notes"},"models":{"Note":{"fields":{"body":"text"}}}}';
    expect(await newOnPostgres('models.json', text)).toMatchObject({ code: 0 });
    expect(await readProject('package.json')).toContain('"pg"');
  });
});

describe('a schema with problems', () => {
  const text =
    'version: 1\napp: { name: notes }\nmodels:\n  Note: { fields: { body: tekst, on: dat } }\n';

  test('has status 3, all problems at once, and nothing is written', async () => {
    const args = ['new', 'my-api', '--schema', '-', ...offline];
    const { code, stdout, stderr } = await scaffoldHere(args, { text });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('stdin:4:27');
    expect(stderr).toContain('stdin:4:38');
    expect(stderr).toMatch(/\n2 errors in stdin\. Nothing was written\.$/);
    expect(listing(cwd)).toEqual([]);
  });

  test('that is not text is refused as such', async () => {
    await writeFile(join(cwd, 'latin.yaml'), Buffer.from([0x76, 0xe9, 0x0a]));
    const { code, stderr } = await scaffoldHere(['new', 'my-api', '--schema', 'latin.yaml']);
    expect(code).toBe(3);
    expect(stderr).toContain('`latin.yaml` is not UTF-8');
  });

  test('that is empty is refused', async () => {
    expect((await scaffoldHere(['new', 'my-api', '--schema', '-'], 'closed')).code).toBe(3);
  });
});

describe('a folder in use is refused with status 7, and stays as it is', () => {
  test('whatever is in it', async () => {
    await mkdir(join(cwd, 'my-api'));
    await writeFile(join(cwd, 'my-api/notes.txt'), 'mine');
    const { code, stdout, stderr } = await scaffoldHere(['new', 'my-api', ...offline]);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toContain('is not empty');
    expect(listing(cwd)).toEqual(['my-api', 'my-api/notes.txt']);
  });

  test('--force writes around what is there', async () => {
    await mkdir(join(cwd, 'my-api/src'), { recursive: true });
    await writeFile(join(cwd, 'my-api/src/notes.txt'), 'mine');
    await writeFile(join(cwd, 'my-api/.env'), 'AUTH_SECRET_KEY=mine');
    expect((await scaffoldHere(['new', 'my-api', '--force', ...offline])).code).toBe(0);
    expect(await readProject('src/notes.txt')).toBe('mine');
    expect(await readProject('.env')).toBe('AUTH_SECRET_KEY=mine');
    expect(listing(join(cwd, 'my-api'))).toContain('src/server.ts');
  });

  test('--force replaces nothing', async () => {
    await mkdir(join(cwd, 'my-api'));
    await writeFile(join(cwd, 'my-api/package.json'), '{}');
    const { code, stderr } = await scaffoldHere(['new', 'my-api', '--force', ...offline]);
    expect(code).toBe(7);
    expect(stderr).toContain('`package.json`');
    expect(listing(cwd)).toEqual(['my-api', 'my-api/package.json']);
  });

  test('a file and a link are not folders', async () => {
    await writeFile(join(cwd, 'file'), 'mine');
    await mkdir(join(cwd, 'elsewhere'));
    await symlink(join(cwd, 'elsewhere'), join(cwd, 'link'));
    for (const name of ['file', 'link']) {
      expect((await scaffoldHere(['new', name, '--force', ...offline])).code).toBe(7);
    }
    expect(listing(cwd)).toEqual(['elsewhere', 'file', 'link']);
  });
});

test('a folder that cannot be written to has status 6', async () => {
  await writeFile(join(cwd, 'file'), '');
  const { code, stderr } = await scaffoldHere(['new', 'file/below', ...offline]);
  expect(code).toBe(6);
  expect(stderr).toMatch(/^error SCF603 /);
});

const schema = (line: string) =>
  `version: 1 # é\napp: { name: notes }\n${line}models:\n  Note: { fields: { body: text } }\n# end\n`;
