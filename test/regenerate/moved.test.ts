import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { listWrites } from '../../src/project/journal/journal.ts';
import { followMoved } from '../../src/project/plan/follow-moved.ts';
import { readFormerBases } from '../../src/project/plan/match-record.ts';
import { areMostlyIn } from '../../src/project/plan/same-code.ts';
import { recordPath } from '../../src/project/paths.ts';
import { readProject } from '../../src/project/read-project.ts';
import { buildNext } from '../../src/project/plan/next-app.ts';
import { planRegeneration } from '../../src/project/regeneration.ts';
import type { RunOptions } from '../../src/project/plan.ts';
import { wishFor } from '../project/support/project.ts';
import {
  library,
  renamedBook,
  withHeading,
  withMagazine,
  withoutShelf,
  withSubtitle,
} from '../project/support/schemas.ts';
import { isDeep } from '../support/trials.ts';
import { diskTree, type Tree } from './support/edit.ts';
import { makeProject } from './support/make-project.ts';
import { moveCode, type Moves } from './support/move-code.ts';

const queries = 'src/books/queries.ts';
const data = 'src/books/data.ts';

const moves: readonly Moves[] = [
  { 'src/books/': 'src/modules/books/' },
  { 'src/books/queries.ts': 'src/books/data/queries.ts' },
  { 'src/': 'app/src/' },
  { 'src/books/queries.ts': 'src/sql/of-books.ts', 'test/books.test.ts': 'test/api/books.test.ts' },
  { 'src/database/': 'src/db/', 'src/server.ts': 'src/main/server.ts' },
  { 'src/books/': 'src/modules/books/', 'src/shelves/': 'src/modules/shelves/' },
  { 'src/lib/': 'src/core/lib/', 'test/auth/': 'test/support/auth/' },
];

/** What files that move along with a renamed model are called then. */
type Change = readonly [name: string, schema: string, called: (path: string) => string];

const asBefore = (path: string) => path;
const changes: readonly Change[] = [
  ['a field more', withSubtitle, asBefore],
  ['a model renamed', renamedBook, (path) => path.replace(/\/books\b/, '/volumes')],
  ['a model more', withMagazine, asBefore],
  ['a field renamed', withHeading, asBefore],
  ['a model less', withoutShelf, asBefore],
];

const trials = moves.flatMap((moved, index) =>
  changes
    .filter((_, at) => isDeep || (at === index && at < 3))
    .map(([name, schema, called]) => ({ moved, name, schema, called })),
);

const withPrice = (schema: string) =>
  schema.replace('pages: int?', 'pages: int?\n      price: int?');

type Work = (folder: string, schema: string) => Promise<void>;
type Trial = (typeof trials)[number];

/** To move files and then regenerate is to regenerate and then move files, also for the run after that. */
async function expectToCommute({ moved, schema, called }: Trial, work: Work): Promise<void> {
  const [first, last] = [await makeProject(library, []), await makeProject(library, [])];
  const next = withPrice(schema);
  moveCode(diskTree(first), moved);
  await work(first, schema);
  await regenerate(last, schema);
  const later = Object.entries(moved).map(([from, to]) => [called(from), called(to)]);
  moveCode(diskTree(last), Object.fromEntries(later));
  expect(filesOf(first, isCode)).toEqual(filesOf(last, isCode));

  await work(first, next);
  await regenerate(last, next);
  expect(filesOf(first)).toEqual(filesOf(last));
  expect(await plan(first, next)).toMatchObject({ changes: [], recordWrites: [] });
}

test.each(trials)('$moved; $name', (trial) => expectToCommute(trial, regenerate));

const there = { 'src/books/': 'src/modules/books/' };
const back = { 'src/modules/books/': 'src/books/' };
const further = { 'src/modules/books/': 'src/books/all/' };
const atOnce = { 'src/books/': 'src/books/all/' };

test.each<[string, readonly [Moves, Moves], readonly [Moves, Moves]]>([
  ['back', [there, back], [{}, {}]],
  ['further', [there, further], [atOnce, {}]],
])('moved, and then moved %s', async (_, moved, others) => {
  const ends = [];
  for (const [one, two] of [moved, others]) {
    const folder = await makeProject(library, []);
    moveCode(diskTree(folder), one);
    await regenerate(folder, withSubtitle);
    moveCode(diskTree(folder), two);
    await regenerate(folder, withPrice(withSubtitle));
    ends.push(filesOf(folder));
  }
  expect(ends[0]).toEqual(ends[1]);
});

test('moved and then deleted: it stays away, and comes back where it was last', async () => {
  const folder = await makeProject(library, []);
  const tree = diskTree(folder);
  moveCode(tree, { [queries]: data });
  await regenerate(folder, withSubtitle);
  const text = tree.read(data);
  tree.remove(data);
  await regenerate(folder, withPrice(withSubtitle));
  expect(tree.paths()).not.toContain(data);
  const restored = await plan(folder, withPrice(withSubtitle), { restore: [data] });
  expect(restored.changes).toMatchObject([{ path: data, action: 'restore', after: text }]);
});

type Spoil = (text: string, path: string) => string;

test.each<[string, Spoil]>([
  ['imports lead where the files were', (text) => text.replaceAll('./modules/', './')],
  [
    'a base is of another place',
    (text, path) => (path.endsWith('.base') ? text.replaceAll('../../', '../') : text),
  ],
  [
    'nobody remembers where a file came from',
    (text, path) => (path === recordPath ? text.replace(/,"home":"[^"]*"/g, '') : text),
  ],
])('a run is caught where %s', async (_, spoil) => {
  const [trial] = trials;
  if (!trial) throw new Error('There is no trial.');
  const work: Work = (folder, schema) => regenerate(folder, schema, spoil);
  await expect(expectToCommute(trial, work)).rejects.toThrow(/to deeply equal/);
});

/** What an owner may do, and which of it is a move. */
const deeds: readonly (readonly [deed: string, act: (tree: Tree) => void, found: Moves])[] = [
  ['it is moved', (tree) => moveCode(tree, { [queries]: data }), { [queries]: data }],
  [
    'it is moved, and half of it is rewritten',
    (tree) => {
      moveCode(tree, { [queries]: data });
      tree.write(data, tree.read(data).replace(/\(reader, books, request\)/g, '(mine)'));
    },
    { [queries]: data },
  ],
  [
    'it is moved, and some of it is renamed and some is gone',
    (tree) => {
      moveCode(tree, { [queries]: data });
      const text = tree.read(data).replace(/\nexport function deleteBook[^]*?\n}\n/, '');
      tree.write(data, text.replaceAll('findBook', 'readBook').replace('  deleteRow,\n', ''));
      const routes = tree.read('src/books/routes.ts');
      tree.write('src/books/routes.ts', routes.replaceAll('findBook', 'readBook'));
    },
    { [queries]: data },
  ],
  [
    'it is moved, and much is added',
    (tree) => {
      moveCode(tree, { [queries]: data });
      tree.write(data, `${tree.read(data)}${'export const more = [1, 2, 3];\n'.repeat(99)}`);
    },
    { [queries]: data },
  ],
  [
    'it is moved, and imported without an ending',
    (tree) => {
      moveCode(tree, { [queries]: data });
      for (const path of [data, 'src/books/routes.ts']) {
        tree.write(path, tree.read(path).replaceAll(`.ts';`, `';`));
      }
    },
    { [queries]: data },
  ],
  [
    'it is moved, and those who import it do so by an alias',
    (tree) => {
      moveCode(tree, { [queries]: data });
      byAlias(tree, { '#books/': 'src/books/' }, (path) => path !== data);
    },
    { [queries]: data },
  ],
  [
    'it is moved, and imports by an alias',
    (tree) => {
      moveCode(tree, { [queries]: data });
      byAlias(tree, { '#lib/': 'src/lib/', '#db/': 'src/database/' }, (path) => path === data);
    },
    { [queries]: data },
  ],
  [
    'it is moved, and all imports are aliases of the compiler',
    (tree) => {
      moveCode(tree, { [queries]: data });
      byAlias(tree, { '@/': 'src/' }, () => true, 'tsconfig.json');
    },
    { [queries]: data },
  ],
  [
    'it is moved, and imported from a barrel',
    (tree) => {
      moveCode(tree, { [queries]: data });
      tree.write('src/books/index.ts', `// All of it.\nexport * from './data.ts';\n`);
      const routes = 'src/books/routes.ts';
      tree.write(routes, tree.read(routes).replace('./data.ts', './index.ts'));
    },
    { [queries]: data },
  ],
  ['it is deleted', (tree) => tree.remove(queries), {}],
  [
    'it is deleted, and a copy of it that leads nowhere is elsewhere',
    (tree) => {
      tree.write('old/books/queries.ts', tree.read(queries));
      tree.remove(queries);
    },
    {},
  ],
  [
    'it is deleted, and a copy of the whole project is below the project',
    (tree) => {
      for (const path of tree.paths().filter((it) => /^(?:src|test)\//.test(it))) {
        tree.write(`backup/${path}`, tree.read(path));
      }
      tree.remove(queries);
      tree.remove('test/books.test.ts');
    },
    {},
  ],
  [
    'copies of a folder and its test became others; then the originals are deleted',
    (tree) => {
      for (const path of tree.paths().filter((it) => /^src\/books\/|^test\/books/.test(it))) {
        tree.write(path.replace('books', 'boxes'), asBoxes(tree.read(path)));
        tree.remove(path);
      }
      for (const path of ['src/routes.ts', 'seeds/seed.ts', 'test/users.test.ts']) {
        tree.write(path, asBoxes(tree.read(path)));
      }
    },
    {},
  ],
  [
    'a copy of its folder is beside it, to copy from; then the folder is deleted',
    (tree) => {
      copyBooks(tree);
      for (const path of tree.paths().filter((it) => it.startsWith('src/books/')))
        tree.remove(path);
    },
    {},
  ],
  [
    'a copy of its folder is beside it; then tests are deleted',
    (tree) => {
      for (const path of tree.paths().filter((it) => it.startsWith('test/'))) {
        tree.write(path.replace('test/', 'test-old/'), tree.read(path));
        if (path.endsWith('.test.ts')) tree.remove(path);
      }
    },
    {},
  ],
  [
    'one that has no neighbours is deleted, and another folder has one like it',
    (tree) => {
      tree.write('web/vitest.config.ts', tree.read('vitest.config.ts'));
      tree.remove('vitest.config.ts');
    },
    {},
  ],
  [
    'it is deleted, and another one has its name and its neighbours',
    (tree) => {
      const text = tree.read('test/books.test.ts');
      const imports = text.slice(0, text.indexOf('\n\n')).replaceAll(`from '../`, `from '../../`);
      const own = `${imports.replaceAll(`from './`, `from '../`)}\n\ndescribe('mine', () => {});\n`;
      tree.write('test/mine/books.test.ts', own);
      tree.remove('test/books.test.ts');
    },
    {},
  ],
  [
    'a copy of it was made into another file; then it is deleted',
    (tree) => {
      tree.write('src/boxes/policy.ts', asBoxes(tree.read('src/books/policy.ts')));
      tree.remove('src/books/policy.ts');
    },
    {},
  ],
  [
    'a copy of it, with the names that it had, serves another file; then it is deleted',
    (tree) => {
      tree.write('src/boxes/policy.ts', tree.read('src/books/policy.ts'));
      tree.write('src/boxes/use.ts', `import { bookPolicy } from './policy.ts';\n`);
      tree.remove('src/books/policy.ts');
    },
    {},
  ],
  [
    'it is moved, and there is a second one like it',
    (tree) => {
      moveCode(tree, { [queries]: data });
      tree.write('src/books/more.ts', tree.read(data));
      const routes = 'src/books/routes.ts';
      tree.write(routes, `import './more.ts';\n${tree.read(routes)}`);
    },
    {},
  ],
  [
    'two become one',
    (tree) => {
      const both = 'src/books/all.ts';
      const texts = [tree.read(queries), tree.read('src/books/policy.ts')].join('');
      moveCode(tree, { [queries]: both, 'src/books/policy.ts': both });
      tree.write(both, texts);
    },
    {},
  ],
  [
    'it is rewritten elsewhere, under the same names',
    (tree) => {
      moveCode(tree, { [queries]: data });
      const names = [...tree.read(data).matchAll(/^export (?:async function|const) (\w+)/gm)];
      const anew = names.map(([, name]) => `export const ${name} = async () => [];\n`);
      tree.write(data, anew.join(''));
    },
    {},
  ],
  ['it is where git ignores files', (tree) => moveCode(tree, { [queries]: 'dist/queries.ts' }), {}],
];

async function followed(folder: string) {
  const project = await readProject(folder);
  return followMoved(project, readFormerBases(project));
}

test.each(deeds)('%s', async (_, act, found) => {
  const folder = await makeProject(library, []);
  act(diskTree(folder));
  const { cameFrom } = await followed(folder);
  expect(Object.fromEntries([...cameFrom].map(([to, from]) => [from, to]))).toEqual(found);
});

test('half of what a file exported is not most of it', () => {
  expect(areMostlyIn(['listBooks', 'findBook'], ['findBook'])).toBe(false);
  expect(areMostlyIn(['listBooks', 'findBook', 'createBook'], ['createBook', 'findBook'])).toBe(
    true,
  );
});

test('a copy beside a file is not a move, even if the users of the file were deleted before', async () => {
  const folder = await makeProject(library, []);
  const tree = diskTree(folder);
  copyBooks(tree);
  tree.remove('src/books/routes.ts');
  await regenerate(folder, withSubtitle);
  tree.remove(queries);
  const { cameFrom } = await followed(folder);
  expect(cameFrom).toEqual(new Map());
});

/** For what no longer exists and is not plainly elsewhere: whether others have what it exported. */
const questions: readonly (readonly [deed: string, doubts: readonly string[]])[] = [
  ['it is deleted', []],
  ['it is deleted, and a copy of it that leads nowhere is elsewhere', ['old/books/queries.ts']],
  ['it is moved, and there is a second one like it', [data, 'src/books/more.ts']],
  ['it is rewritten elsewhere, under the same names', [data]],
  ['copies of a folder and its test became others; then the originals are deleted', []],
];

test.each(questions)('what is asked where %s', async (deed, candidates) => {
  const folder = await makeProject(library, []);
  deeds.find(([name]) => name === deed)?.[1](diskTree(folder));
  const { doubts } = await followed(folder);
  const asked = doubts.filter(({ path }) => path === queries);
  expect(asked.flatMap((it) => it.candidates).toSorted()).toEqual([...candidates].toSorted());
});

test('a folder that is moved and imported by an alias is followed as a whole', async () => {
  const folder = await makeProject(library, []);
  const tree = diskTree(folder);
  const inLib = tree.paths().filter((path) => path.startsWith('src/lib/'));
  moveCode(tree, { 'src/lib/': 'src/core/' });
  byAlias(tree, { '#core/': 'src/core/' }, () => true);
  const { cameFrom } = await followed(folder);
  expect([...cameFrom.values()].toSorted()).toEqual(inLib);
  const planned = await plan(folder, withMagazine);
  expect(planned.changes.filter(({ action }) => action === 'skip')).toEqual([]);
});

/** Writes imports of these folders by names that the project gives them. */
function byAlias(
  tree: Tree,
  aliases: Readonly<Record<string, string>>,
  isMeant: (path: string) => boolean,
  where: 'package.json' | 'tsconfig.json' = 'package.json',
): void {
  const entries = Object.entries(aliases);
  const table = entries.map(([name, path]) => `"${name}*": ["./${path}*"]`).join(', ');
  const line = where === 'package.json' ? `"imports": { ${table} },` : `"paths": { ${table} },`;
  const at = where === 'package.json' ? '"private": true,' : '"compilerOptions": {';
  tree.write(where, tree.read(where).replace(at, `${at}\n  ${line} `));
  expect(tree.read(where)).toContain(line);
  for (const path of tree
    .paths()
    .filter((it) => /^(?:src|test)\/.*\.ts$/.test(it) && isMeant(it))) {
    const text = tree
      .read(path)
      .replace(/(['"])(\.\.?\/[^'"\n]+\.ts)\1/g, (whole, quote, specifier) => {
        const target = posix.join(posix.dirname(path), specifier);
        const [name, folder] = entries.find(([, it]) => target.startsWith(it)) ?? [];
        return name && folder ? `${quote}${name}${target.slice(folder.length)}${quote}` : whole;
      });
    tree.write(path, text);
  }
}

function copyBooks(tree: Tree): void {
  for (const path of tree.paths().filter((it) => it.startsWith('src/books/'))) {
    tree.write(path.replace('books', 'template'), tree.read(path));
  }
}

function asBoxes(text: string): string {
  return text.replaceAll('books', 'boxes').replaceAll('book', 'box').replaceAll('Book', 'Box');
}

async function plan(folder: string, schema: string, wish: Partial<RunOptions> = {}) {
  const accepted = ['SCF411:Shelf', 'SCF441:Book', 'SCF441:Volume'];
  const project = await readProject(folder);
  const options = wishFor(schema, { accepted, ...wish });
  const planned = await planRegeneration(project, buildNext(project, options), options);
  expect(planned.unaccepted).toEqual([]);
  return planned.plan;
}

/** Without waiting for the disk. */
async function regenerate(folder: string, schema: string, spoil: Spoil = (text) => text) {
  const tree = diskTree(folder);
  for (const { path, after } of listWrites(await plan(folder, schema))) {
    if (after === undefined) tree.remove(path);
    else tree.write(path, spoil(after, path));
  }
}

function isCode(path: string): boolean {
  return path.endsWith('.ts');
}

function filesOf(
  folder: string,
  isMeant = (path: string) => path !== 'schema.yaml',
): Readonly<Record<string, string>> {
  const tree = diskTree(folder);
  return Object.fromEntries(
    tree
      .paths()
      .filter(isMeant)
      .map((path) => [path, tree.read(path)]),
  );
}
