import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, test } from 'vitest';
import { isReformatted } from '../../src/merge/merge.ts';
import { basePath, hashText } from '../../src/project/paths.ts';
import { applyPlan } from '../../src/project/journal/apply-plan.ts';
import { planUndo } from '../../src/project/journal/plan-undo.ts';
import { isUntouched } from '../../src/project/untouched.ts';
import { actions, makeProject, type TestProject } from './support/project.ts';
import {
  library,
  onPostgres,
  renamedBook,
  withHeading,
  withMagazine,
  withoutShelf,
  withSubtitle,
} from './support/schemas.ts';

const accepted = ['SCF411:Shelf', 'SCF441:Book', 'SCF441:Volume', 'SCF441:Shelf'];
const schemaFile = 'src/books/schema.ts';
const queries = 'src/books/queries.ts';
const note = (text: string) => `// Mine.\n${text}`;

describe('what happens to a file', () => {
  test('nothing changed: no file, no time, not even a plan to write', async () => {
    const project = await makeProject(library);
    const before = project.files();
    const times = modified(project.folder, Object.keys(before));
    expect(await project.isUpToDate(library)).toBe(true);
    const { plan } = await project.regenerate(library);
    expect(plan).toMatchObject({ changes: [], recordWrites: [], kept: 0 });
    expect(project.files()).toEqual(before);
    expect(modified(project.folder, Object.keys(before))).toEqual(times);
  });

  test('a file that is new is made, and one that is as it was follows the schema', async () => {
    const project = await makeProject(library);
    const done = actions(await project.regenerate(withMagazine));
    expect(done).toContain('create src/magazines/schema.ts');
    expect(done).toContain('create migrations/0002_add_magazine/up.sql');
    expect(done).toContain('update src/routes.ts');
    expect(await project.isUpToDate(withMagazine)).toBe(true);
  });

  test('without edits the project is what a new one of the schema would be, except for its history', async () => {
    const [project, fresh] = [await makeProject(library), await makeProject(withMagazine)];
    await project.regenerate(withMagazine);
    expect(codeOf(project)).toEqual(codeOf(fresh));
  });

  test('an edited file that the schema leaves alone is kept, byte for byte', async () => {
    const project = await makeProject(library);
    project.edit(queries, note);
    const text = project.read(queries);
    const { plan } = await project.regenerate(withMagazine);
    expect(plan.kept).toBe(1);
    expect(project.read(queries)).toBe(text);
  });

  test('an edited file that the schema changes has both', async () => {
    const project = await makeProject(library);
    project.edit(schemaFile, note);
    expect(actions(await project.regenerate(withSubtitle))).toContain(`merge ${schemaFile}`);
    expect(project.read(schemaFile)).toMatch(/^\/\/ Mine\.\n[^]*subtitle/);
    expect((await project.regenerate(withSubtitle)).plan.changes).toEqual([]);
  });

  test('a file that its owner deleted stays away, with and without a change, until it is asked for', async () => {
    const project = await makeProject(library);
    project.remove(schemaFile);
    expect(actions(await project.regenerate(library))).toEqual([`skip ${schemaFile}`]);
    expect(actions(await project.regenerate(withSubtitle))).toContain(`skip ${schemaFile}`);
    expect(project.exists(schemaFile)).toBe(false);
    const restored = await project.regenerate(withSubtitle, { restore: ['src/books'] });
    expect(actions(restored)).toEqual([`restore ${schemaFile}`]);
    expect(project.read(schemaFile)).toContain('subtitle');
    expect((await project.regenerate(withSubtitle)).plan.recordWrites).toEqual([]);
  });

  test('a deleted file that is then no longer needed comes back with its model', async () => {
    const project = await makeProject(library);
    project.remove('src/shelves/schema.ts');
    await project.regenerate(withoutShelf, { accepted });
    await project.regenerate(library);
    expect(project.exists('src/shelves/schema.ts')).toBe(true);
  });

  test('files that are no longer needed are removed, with the folders that they leave empty', async () => {
    const project = await makeProject(library);
    const done = actions(await project.regenerate(withoutShelf, { accepted }));
    expect(done).toContain('delete src/shelves/routes.ts');
    expect(project.exists('src/shelves')).toBe(false);
    expect(project.exists('.scaffold/base/src/shelves')).toBe(false);
  });

  test('a folder with a file of its owner stays; an edited file stays and becomes the owner’s', async () => {
    const project = await makeProject(library);
    project.write('src/shelves/mine.ts', 'export {};\n');
    project.edit('src/shelves/policy.ts', note);
    const done = actions(await project.regenerate(withoutShelf, { accepted }));
    expect(done).toContain('eject src/shelves/policy.ts');
    expect(Object.keys(project.files()).filter((path) => path.startsWith('src/shelves'))).toEqual([
      'src/shelves/mine.ts',
      'src/shelves/policy.ts',
    ]);
    expect((await project.regenerate(withoutShelf)).plan).toMatchObject({ changes: [], kept: 1 });
    await project.regenerate(library);
    expect(project.read('src/shelves/policy.ts')).toMatch(/^\/\/ Mine\./);
  });

  test('a file that its owner wrote where a new one belongs is adopted if it is the same, and kept if not', async () => {
    const [project, fresh] = [await makeProject(library), await makeProject(withMagazine)];
    project.write('src/magazines/schema.ts', fresh.read('src/magazines/schema.ts'));
    project.write('src/magazines/queries.ts', 'export const mine = 1;\n');
    const { plan } = await project.regenerate(withMagazine);
    expect(actions({ plan })).toContain('adopt src/magazines/schema.ts');
    expect(actions({ plan })).toContain('conflict src/magazines/queries.ts');
    expect(project.read('src/magazines/queries.ts')).toBe('export const mine = 1;\n');
    expect(project.read('.scaffold/conflicts.json')).toContain('"kind": "added"');
  });

  test.each([
    ['ours', 'export const mine = 1;\n'],
    ['theirs', 'listMagazines'],
  ] as const)('a file that both made, with %s', async (onConflict, expected) => {
    const project = await makeProject(library);
    project.write('src/magazines/queries.ts', 'export const mine = 1;\n');
    await project.regenerate(withMagazine, { onConflict });
    expect(project.read('src/magazines/queries.ts')).toContain(expected);
    expect(await project.isUpToDate(withMagazine)).toBe(true);
  });
});

test('whether anything has happened is known without reading the schema', async () => {
  const project = await makeProject(library);
  const isSame = (text = library) => isUntouched(project.folder, text);
  expect(isSame()).toBe(true);
  const inOtherWords = `# Ours.\n${library}`;
  expect([isSame(inOtherWords), await project.isUpToDate(inOtherWords)]).toEqual([false, true]);
  await project.regenerate(withSubtitle);
  expect([isSame(), isSame(withSubtitle)]).toEqual([false, true]);
  const signs = {
    '.scaffold/run/journal.json': '{}',
    '.scaffold/conflicts.json': '{}',
    'migrations/0002_theirs/up.sql': 'select 1;',
  };
  for (const [path, text] of Object.entries(signs)) {
    project.write(path, text);
    expect([path, isSame(withSubtitle)]).toEqual([path, false]);
    project.remove(path.split('/').slice(0, 2).join('/'));
    expect(isSame(withSubtitle)).toBe(true);
  }
  project.edit('.scaffold/schema.json', (text) => `${text}\n`);
  expect(isSame(withSubtitle)).toBe(false);
});

describe('how a text is written', () => {
  test('line ends, a byte order mark and a missing last line end are not edits, and stay', async () => {
    const project = await makeProject(library);
    project.edit(schemaFile, dressed);
    project.edit(queries, (text) => text.trimEnd());
    expect((await project.plan(library)).plan).toMatchObject({ changes: [], kept: 1 });
    expect(actions(await project.regenerate(withSubtitle))).toContain(`update ${schemaFile}`);
    const text = project.read(schemaFile);
    expect(text).toMatch(/^\uFEFF[^]*subtitle/);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('a checkout that changed every line end, even in our own files, is the same project', async () => {
    const project = await makeProject(library);
    for (const path of Object.keys(project.files())) {
      project.write(path, project.read(path).replaceAll('\n', '\r\n'));
    }
    expect(await project.isUpToDate(library)).toBe(true);
    project.edit(schemaFile, (text) => `// Mine.\r\n${text}`);
    const done = actions(await project.regenerate(withSubtitle));
    expect(done).toContain(`merge ${schemaFile}`);
    expect(done.filter((line) => line.startsWith('conflict'))).toEqual([]);
  });

  test('an executable file stays executable, and the same people may read it', async () => {
    const project = await makeProject(library);
    project.chmod(schemaFile, 0o700);
    project.chmod(queries, 0o755);
    expect((await project.plan(library)).plan.changes).toEqual([]);
    await project.regenerate(withSubtitle);
    expect(statSync(join(project.folder, schemaFile)).mode & 0o777).toBe(0o700);
  });
});

describe('a model with another name', () => {
  test('takes its files along, with their edits, and leaves no folder behind', async () => {
    const project = await makeProject(library);
    project.edit(queries, (text) => `${text}\nexport const bestBook = 1;\n`);
    project.edit(schemaFile, note);
    const { plan, spellings } = await project.regenerate(renamedBook, { accepted });
    expect(actions({ plan })).toContain(`move ${queries} → src/volumes/queries.ts`);
    expect(actions({ plan })).toContain('move test/books.test.ts → test/volumes.test.ts');
    expect(project.exists('src/books')).toBe(false);
    expect(project.read('src/volumes/queries.ts')).toContain('export const bestBook = 1;');
    expect(project.read('src/volumes/queries.ts')).toContain('listVolumes');
    expect(project.read('src/volumes/schema.ts')).toMatch(/^\/\/ Mine\./);
    expect(spellings).toEqual(
      new Map([
        ...spellings,
        ['Book', 'Volume'],
        ['listBooks', 'listVolumes'],
        ['books', 'volumes'],
      ]),
    );
    expect((await project.regenerate(renamedBook)).plan).toMatchObject({ changes: [] });
  });

  test('is refused when a file of the owner is where one of them would go', async () => {
    const project = await makeProject(library);
    project.write('src/volumes/queries.ts', 'export {};\n');
    const before = project.files();
    await expect(project.regenerate(renamedBook, { accepted })).rejects.toThrow(
      '`src/volumes/queries.ts` cannot be written',
    );
    expect(project.files()).toEqual(before);
  });

  test('two models that swap their names swap their files', async () => {
    const project = await makeProject(library);
    project.edit(queries, note);
    // Shelf → Book and Book → Shelf, each with the fields that it has.
    const schema = library
      .replace('  Book:\n', '  First:\n')
      .replace('  Shelf:\n', '  Book:\n')
      .replace('  First:\n', '  Shelf:\n');
    const renames = [
      { from: 'Book', to: 'Shelf' },
      { from: 'Shelf', to: 'Book' },
    ];
    const done = actions(await project.regenerate(schema, { renames, accepted }));
    expect(done).toContain(`move ${queries} → src/shelves/queries.ts`);
    expect(done).toContain(`move src/shelves/queries.ts → ${queries}`);
    expect(project.read('src/shelves/queries.ts')).toMatch(/^\/\/ Mine\.\n[^]*listShelves/);
    expect(project.read(queries)).not.toContain('Mine');
  });

  test('two models cannot become one', async () => {
    const project = await makeProject(library);
    const schema = library
      .slice(0, library.indexOf('  Book:\n'))
      .concat('  Tome:\n    fields: { title: string }\n');
    const renames = ['Book', 'Shelf'].map((from) => ({ from, to: 'Tome' }));
    await expect(project.regenerate(schema, { renames, accepted })).rejects.toThrow(
      '`--rename Book=Tome`: `Shelf` is to be called `Tome`, too.',
    );
  });
});

test('a field with another name: an edit beside it stays, an edit of it follows', async () => {
  const project = await makeProject(library);
  project.edit(schemaFile, (text) =>
    text.replace(/title: (.*),\n/, 'title: $1, // the name on the cover\n'),
  );
  await project.regenerate(withHeading, { accepted: ['SCF441:Book.heading'] });
  expect(project.read(schemaFile)).toMatch(/heading: .*, \/\/ the name on the cover\n/);
});

test('settings that are new in the example come to .env, and its secrets stay', async () => {
  const project = await makeProject(library);
  project.write('.env', 'AUTH_SECRET_KEY=abc\nPORT=1\n');
  const path = '.env.example';
  const lock = '.scaffold/lock.json';
  const older = project
    .read(path)
    .replace(/^.*PORT=.*\n/m, '')
    .replace(/^.*MAIL_FROM=.*\n/m, '');
  project.edit(lock, (text) => text.replace(hashText(project.read(path)), hashText(older)));
  project.write(path, older);
  project.write(basePath(path), older);
  const { plan } = await project.regenerate(library);
  expect(actions({ plan })).toEqual(['merge .env', `update ${path}`]);
  expect(project.read('.env')).toMatch(/^AUTH_SECRET_KEY=abc\nPORT=1\n[^]*MAIL_FROM/);
});

test('a line of .env that equals the example follows it, and no other does', async () => {
  const project = await makeProject(library);
  const [secret, mine] = ['AUTH_SECRET_KEY=abc', 'PORT=1'];
  project.write('.env', `${secret}\nDATABASE_URL=file:./var/library.db\n${mine}\n`);
  await project.regenerate(onPostgres);
  expect(project.read('.env')).toMatch(
    /^AUTH_SECRET_KEY=abc\nDATABASE_URL=postgres:.*\n# DATABASE_POOL_SIZE=10\n(?:# .*\n)*PORT=1\n/,
  );
});

test('another engine: a history of its own, and the old one is put aside', async () => {
  const project = await makeProject(library);
  const up = project.read('migrations/0001_initial/up.sql');
  const before = project.files();
  const done = actions(await project.regenerate(onPostgres));
  const aside = 'migrations/sqlite/0001_initial/up.sql';
  expect(done).toContain(`move migrations/0001_initial/up.sql → ${aside}`);
  expect(done).toContain('create migrations/0001_initial/up.sql');
  expect(project.read(aside)).toBe(up);
  expect(project.read('migrations/0001_initial/up.sql')).toContain('PostgreSQL');
  expect((await project.plan(onPostgres)).plan).toMatchObject({ changes: [], recordWrites: [] });
  await applyPlan(project.folder, await planUndo(project.folder), { undoable: false });
  expect(project.files()).toEqual(before);
});

test('another engine in a reformatted project: nothing of the old one is left', async () => {
  const [project, fresh] = [await makeProject(library), await makeProject(onPostgres)];
  const other = fresh.files();
  for (const [path, text] of Object.entries(project.files())) {
    if (!/^src\/.*\.ts$/.test(path) || text === other[path]) continue;
    project.write(path, await format(text, { parser: 'typescript', semi: false, useTabs: true }));
  }
  project.edit('src/database/file.ts', note);
  const done = actions(await project.regenerate(onPostgres));
  expect(done.filter((line) => /^(conflict|eject)/.test(line))).toEqual([
    'eject src/database/file.ts',
  ]);
  const path = 'src/database/client.ts';
  expect(await isReformatted('ts', fresh.read(path), project.read(path))).toBe(true);
});

test('a model with another name keeps who may read its files, and undo restores that', async () => {
  const project = await makeProject(library);
  const mode = (path: string) => statSync(join(project.folder, path)).mode & 0o777;
  project.chmod(queries, 0o600);
  await project.regenerate(renamedBook, { accepted });
  expect(mode('src/volumes/queries.ts')).toBe(0o600);
  await applyPlan(project.folder, await planUndo(project.folder), { undoable: false });
  expect(mode(queries)).toBe(0o600);
});

test('what nobody deleted is not restored', async () => {
  const project = await makeProject(library);
  const restore = ['src/books/schema.ts'];
  const message = '`--restore src/books/schema.ts` matches nothing';
  await expect(project.plan(withSubtitle, { restore })).rejects.toThrow(message);
});

describe('what cannot be written is named before anything is written', () => {
  const obstacles: readonly (readonly [string, (path: string, folder: string) => void])[] = [
    ['a symbolic link', (path, folder) => symlinkSync(join(folder, 'README.md'), path)],
    ['a folder', (path) => mkdirSync(path)],
  ];

  test.each(obstacles)('%s', async (what, put) => {
    const project = await makeProject(library);
    project.remove(schemaFile);
    put(join(project.folder, schemaFile), project.folder);
    const before = project.files();
    await expect(project.regenerate(withSubtitle)).rejects.toThrow(
      `\`${schemaFile}\` cannot be written: it is ${what}`,
    );
    expect(project.files()).toEqual(before);
    expect((await project.plan(library)).plan).toMatchObject({ changes: [], kept: 1 });
  });

  test('a folder that is a link to elsewhere', async () => {
    const project = await makeProject(library);
    mkdirSync(join(project.folder, 'elsewhere'));
    project.remove('src/books');
    symlinkSync(join(project.folder, 'elsewhere'), join(project.folder, 'src/books'));
    await expect(project.regenerate(withSubtitle)).rejects.toThrow(
      '`src/books` is a symbolic link',
    );
  });

  test('a file that is read-only, or not text', async () => {
    const project = await makeProject(library);
    project.chmod(schemaFile, 0o444);
    await expect(project.regenerate(withSubtitle)).rejects.toThrow('it is read-only');
    project.chmod(schemaFile, 0o644);
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    writeFileSync(join(project.folder, schemaFile), bytes);
    await expect(project.regenerate(withSubtitle)).rejects.toThrow('it is not UTF-8 text');
    expect(readFileSync(join(project.folder, schemaFile))).toEqual(bytes);
  });
});

function codeOf(project: TestProject) {
  const files = Object.entries(project.files());
  return Object.fromEntries(
    files.filter(([path]) => !/^(\.scaffold|migrations)\/|schema\.yaml/.test(path)),
  );
}

const dressed = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

function modified(folder: string, paths: readonly string[]): readonly number[] {
  return paths.map((path) => statSync(join(folder, path)).mtimeMs);
}
