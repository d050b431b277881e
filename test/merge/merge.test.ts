import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printItemPath } from '../../src/merge/keyed/key.ts';
import { hasMarkers, takeSide } from '../../src/merge/markers.ts';
import { isReformatted } from '../../src/merge/merge.ts';
import type { FileKind } from '../../src/merge/conflict.ts';
import { merge } from './support/merged.ts';

const folder = join(import.meta.dirname, 'cases');
const kinds: Readonly<Record<string, FileKind>> = {
  ts: 'ts',
  json: 'json',
  env: 'env',
  md: 'markdown',
};

function readCase(name: string) {
  const extension = readdirSync(join(folder, name))[0]?.split('.').at(1) ?? '';
  const read = (side: string) =>
    readFileSync(join(folder, name, `${side}.${extension}.txt`), 'utf8');
  const texts = { base: read('base'), ours: read('ours'), theirs: read('theirs') };
  return { kind: kinds[extension] ?? 'text', ...texts, expected: read('expected') };
}

describe('merged as a person would', () => {
  test.each(readdirSync(folder))('%s', async (name) => {
    const { expected, ...input } = readCase(name);
    const { text, conflicts } = await merge(input);
    expect(text).toBe(expected);
    expect(conflicts).toHaveLength(text.split('<<<<<<<').length - 1);
    expect(hasMarkers(text)).toBe(conflicts.length > 0);
  });

  test.each(readdirSync(folder))('%s: merged again, nothing is lost', async (name) => {
    const { expected, ...input } = readCase(name);
    const ours = takeSide(expected, 'theirs');
    const { text } = await merge({ ...input, ours });
    expect(takeSide(text, 'ours')).toBe(ours);
  });
});

describe('the file keeps its line ends and its layout', () => {
  const given = { kind: 'ts', base: 'a();\nb();\n', theirs: 'a();\nb();\nc();\n' } as const;

  test.each([
    ['line ends', 'mine();\r\na();\r\nb();\r\n', 'mine();\r\na();\r\nb();\r\nc();\r\n'],
    ['byte order mark', '\uFEFFmine();\na();\nb();\n', '\uFEFFmine();\na();\nb();\nc();\n'],
    ['last line without an end', 'mine();\na();\nb();', 'mine();\na();\nb();\nc();'],
  ])('%s', async (_, ours, expected) => {
    expect(await merge({ ...given, ours })).toEqual({ text: expected, conflicts: [] });
  });

  test('in another layout it becomes the new file after a rename, down to the order of imports', async () => {
    const ours = `import {\n  animals,\n} from "../animals/schema.ts"\nimport { via } from "../lib/via.ts"\n\nvia(animals)\n`;
    const base = `import { animals } from '../animals/schema.ts';\nimport { via } from '../lib/via.ts';\n\nvia(animals);\n`;
    const theirs = `import { via } from '../lib/via.ts';\nimport { patients } from '../patients/schema.ts';\n\nvia(patients);\n`;
    const renames = new Map([['animals', 'patients']]);
    const { text } = await merge({ ...given, base, ours, theirs, renames });
    expect(text).toBe(
      `import { via } from "../lib/via.ts"\nimport {\n  patients,\n} from "../patients/schema.ts"\n\nvia(patients)\n`,
    );
    expect(await isReformatted('ts', theirs, text)).toBe(true);
  });

  test('unedited code gets the lines of the new file after a rename', async () => {
    const renames = new Map([['appointment', 'visit']]);
    const base = `import { appointment } from './all.ts';\n\nadd(() => {\n  save(\n    appointment,\n  );\n});\n`;
    const theirs = `import { visit } from './all.ts';\n\nadd(() => {\n  save(visit);\n});\n`;
    const ours = `${base}mine();\n`;
    expect(await merge({ ...given, base, ours, theirs, renames })).toEqual({
      text: `${theirs}mine();\n`,
      conflicts: [],
    });
  });

  test('unchanged by theirs, it stays the same byte for byte', async () => {
    const ours = '\uFEFFa()\r\n\r\n  b ( ) ;';
    expect(await merge({ ...given, ours, theirs: given.base })).toEqual({
      text: ours,
      conflicts: [],
    });
  });
});

test.each([
  ['return a && b;', '(\n    a && b\n  )', '&&', '||'],
  ['const c = a ? b : 2;', '(\n    a ? b : 2\n  )', '2', '3'],
  ['run(() => a + b);', '(\n    a + b\n  )', '+', '-'],
])('parentheses that a formatter added mean nothing: %s', async (line, wrapped, old, by) => {
  const base = `function f() {\n  ${line}\n}\n`;
  const ours = `${base.replace(/a .* \w(?=\)?;)/, wrapped)}mine();\n`;
  const texts = { base, ours, theirs: base.replace(old, by) };
  const merged = await merge({ kind: 'ts', ...texts });
  expect(merged).toEqual({ text: ours.replace(old, by), conflicts: [] });
});

test('parentheses that change the meaning are a conflict', async () => {
  const [base, ours] = ['f(() => a, b);\n', 'f(() => (a, b));\n'];
  const { conflicts } = await merge({ kind: 'ts', base, ours, theirs: 'f(() => a, c);\n' });
  expect(conflicts).toHaveLength(1);
});

describe('renamed fields and models', () => {
  const renames = new Map([
    ['title', 'heading'],
    ['Post', 'Article'],
    ['posts', 'articles'],
    ['findPost', 'findArticle'],
  ]);
  const base = `import { Post, posts } from '../posts/schema.ts';\n
export const shapes = {
  title: t.Text({ max: 160 }),
  body: t.Text(),
};\n
export function findPost(id: number) {
  return findRow<Post>(posts, id);
}\n`;
  const theirs = base
    .replaceAll('title', 'heading')
    .replaceAll('Post', 'Article')
    .replaceAll('posts', 'articles');

  test('edited lines of a renamed field, and a path that begins with an alias, follow the rename', async () => {
    const ours = base
      .replace('../posts', '#posts')
      .replace('max: 160', 'max: 80')
      .replace('  return', '  log(id);\n  return')
      .replace('  title', '  // Short.\n  title');
    const expected = theirs
      .replace('../articles', '#articles')
      .replace('max: 160', 'max: 80')
      .replace('  return', '  log(id);\n  return')
      .replace('  heading', '  // Short.\n  heading');
    const merged = await merge({ kind: 'ts', base, ours, theirs, renames });
    expect(merged).toEqual({ text: expected, conflicts: [] });
  });

  test('an expression that both touched takes the new name and the edit', async () => {
    const merged = await merge({
      kind: 'ts',
      base: 'check(row.title + 1);\n',
      ours: 'check(row.title + 2);\n',
      theirs: 'check(row.heading + 1);\n',
      renames,
    });
    expect(merged).toEqual({ text: 'check(row.heading + 2);\n', conflicts: [] });
  });

  const suite = `describe('GET /api/posts/', () => {
  check();
});

describe('POST /api/posts/', () => {
  it('answers', check);

  it('points to its posts, and to no others', async () => {
    const page = await get(\`/api/pages/?posts.id=\${id}&fields=posts.id\`);
    expect(page).toBe(1);
  });
});\n`;

  test('a title of several words, and a template, take the new names', async () => {
    const ours = suite
      .replace('    expect', "    note('all posts are here');\n    expect")
      .replace('toBe(1)', 'toBe(2)');
    const expected = ours
      .replaceAll(/(?<=[/?=.])posts\b/g, 'articles')
      .replace('its posts', 'its articles');
    const merged = await merge({
      kind: 'ts',
      base: suite,
      ours,
      theirs: suite.replaceAll('posts', 'articles'),
      renames,
    });
    expect(merged).toEqual({ text: expected, conflicts: [] });
  });

  test('a function that the owner replaced takes the new names inside it', async () => {
    const before = 'export function defaults() {\n  return { title: true };\n}\n';
    const ours = before.replace('defaults()', 'ofOurs(posts): Promise<unknown>');
    const merged = await merge({
      kind: 'ts',
      base: before,
      ours,
      theirs: before.replace('title', 'heading'),
      renames,
    });
    // Where theirs has no posts, nobody knows which are meant.
    expect(merged).toEqual({ text: ours.replace('title', 'heading'), conflicts: [] });
  });

  test('a sentence of the owner keeps its words', async () => {
    const [before, after] = ["check(posts, 'x');\n", "check(articles, 'x');\n"];
    const ours = before.replace("'x'", "'all posts'");
    const merged = await merge({
      kind: 'ts',
      base: before,
      ours,
      theirs: after,
      renames,
    });
    expect(merged).toEqual({ text: ours.replace('posts,', 'articles,'), conflicts: [] });
  });
});

describe('names that the owner chose', () => {
  const renames = new Map([
    ['findPost', 'findArticle'],
    ['posts', 'articles'],
  ]);
  const base = `import { findPost, findUser } from '../posts/queries.ts';\n
export async function show(request: Request) {
  const { id } = request;
  const row = await findPost(id);
  return send(row);
}\n`;

  test.each([
    ['a variable', 'row', 'post', (text: string) => text.replace(/\brow\b/g, 'post')],
    [
      'an import',
      'findPost',
      'load',
      (text: string) =>
        text.replace('{ findPost,', '{ findPost as load,').replace('findPost(', 'load('),
    ],
    ['a parameter', 'request', 'req', (text: string) => text.replace(/\brequest\b/g, 'req')],
    [
      'what is taken out of an object',
      'id',
      'key',
      (text: string) => text.replace('{ id }', '{ id: key }').replace('(id)', '(key)'),
    ],
  ])('%s keeps that name in what theirs adds', async (_, from, to, rename) => {
    const theirs = base.replace('  return', `  note(${from});\n  return`).replace('send', 'reply');
    const expected = rename(base)
      .replace('  return', `  note(${to});\n  return`)
      .replace('send', 'reply');
    const merged = await merge({ kind: 'ts', base, ours: rename(base), theirs });
    expect(merged).toEqual({ text: expected, conflicts: [] });
  });

  test('so does an import by another path', async () => {
    const one = base.replace(', findUser', '');
    const ours = one
      .replace('{ findPost }', '{ findPost as load }')
      .replace('../posts/', '#posts/')
      .replace('findPost(', 'load(');
    const theirs = `${one}\nexport const find = findPost;\n`;
    const merged = await merge({ kind: 'ts', base: one, ours, theirs });
    expect(merged).toEqual({ text: `${ours}\nexport const find = load;\n`, conflicts: [] });
  });

  test('a new name reaches what is new in ours, and a name of the owner stays theirs', async () => {
    const ours = `${base}\nexport const own = [findPost];\n`;
    const theirs = base.replaceAll('findPost', 'findArticle').replace('posts', 'articles');
    const merged = await merge({ kind: 'ts', base, ours, theirs, renames });
    const text = `${theirs}\nexport const own = [findArticle];\n`;
    expect(merged).toEqual({ text, conflicts: [] });
  });

  test('an import keeps its alias when what it imports is renamed', async () => {
    const ours = base.replace('{ findPost,', '{ findPost as load,').replace('findPost(', 'load(');
    const theirs = base.replaceAll('findPost', 'findArticle').replace('posts', 'articles');
    const expected = ours.replace('findPost', 'findArticle').replace('posts', 'articles');
    const merged = await merge({ kind: 'ts', base, ours, theirs, renames });
    expect(merged).toEqual({ text: expected, conflicts: [] });
  });

  test('the title of a renamed suite follows the model into a body that was wrapped', async () => {
    const suite = `import { describe } from 'vitest';\n\ndescribe('posts', () => {\n  check();\n});\n`;
    const ours = suite
      .replace('describe }', 'describe as suite }')
      .replace('describe(', 'suite(')
      .replace('  check();\n', '  if (wanted) {\n    check();\n  }\n');
    const theirs = suite.replace('posts', 'articles');
    const merged = await merge({ kind: 'ts', base: suite, ours, theirs, renames });
    expect(merged).toEqual({ text: ours.replace('posts', 'articles'), conflicts: [] });
  });

  test('a variable that both renamed differently is a conflict', async () => {
    const [ours, theirs] = ['post', 'found'].map((name) => base.replaceAll(/\brow\b/g, name));
    const texts = { base, ours: ours ?? '', theirs: theirs ?? '' };
    const { conflicts } = await merge({ kind: 'ts', ...texts });
    expect(conflicts).not.toEqual([]);
  });

  test('a parameter that replaces another is not taken for it', async () => {
    const typed = base.replace('request: Request', 'hasher: Hasher').replace('request;', 'hasher;');
    const ours = typed.replace('hasher: Hasher', 'mailer: Mailer').replace('hasher;', 'mailer;');
    const theirs = typed.replace('  return', '  hasher.hash(row);\n  return');
    const { conflicts } = await merge({ kind: 'ts', base: typed, ours, theirs });
    expect(conflicts).toMatchObject([{ theirs: '  hasher.hash(row);\n' }]);
  });

  test('a name that means something else on one side is kept', async () => {
    const ours = base.replaceAll(/\brow\b/g, 'post');
    const theirs = base.replace(
      '  return',
      '  const post = draft();\n  note(row, post);\n  return',
    );
    const { conflicts } = await merge({ kind: 'ts', base, ours, theirs });
    expect(conflicts).toMatchObject([{ theirs: expect.stringContaining('note(row, post)') }]);
  });
});

describe('prose', () => {
  const base = '# Blog\n\nIt is small.\n';

  test('what both add at one place is kept, one after the other', async () => {
    const [ours, theirs] = [`${base}\n## Mine\n`, `${base}\n## Into production\n\nRun it.\n`];
    const merged = await merge({ kind: 'markdown', base, ours, theirs });
    expect(merged).toEqual({ text: `${theirs}\n## Mine\n`, conflicts: [] });
  });

  test('what both add with a line in common is a conflict', async () => {
    const [ours, theirs] = [`${base}\n## Run\n\nOnce.\n`, `${base}\n## Run\n\nTwice.\n`];
    const { conflicts } = await merge({ kind: 'markdown', base, ours, theirs });
    expect(conflicts).toHaveLength(1);
  });
});

describe('names that a merge would break', () => {
  const base = 'export function run(app: App) {\n  const a = open(app);\n  use(a);\n}\n';

  test('what theirs adds with a variable that ours no longer has is a conflict', async () => {
    const ours = base.replace('  const a = open(app);\n', '').replace('use(a)', 'use(open(app))');
    const theirs = base.replace('  use(a);\n', '  use(a);\n  shut(a);\n');
    const { conflicts } = await merge({ kind: 'ts', base, ours, theirs });
    expect(conflicts).toMatchObject([{ ours: '', base: '', theirs: '  shut(a);\n' }]);
  });

  test('the same name declared by both is a conflict', async () => {
    const ours = base.replace('  use(a);\n', '  const b = 1;\n  use(a);\n');
    const theirs = base.replace('  use(a);\n', '  const b = 2;\n  use(a);\n');
    const { conflicts } = await merge({ kind: 'ts', base, ours, theirs });
    expect(conflicts).toMatchObject([{ ours: '  const b = 1;\n', theirs: '  const b = 2;\n' }]);
  });

  test('one name imported from two places is a conflict', async () => {
    const imports = "import { App } from './app.ts';\n";
    const ours = `${imports}import { read } from './mine.ts';\n${base}`;
    const theirs = `${imports}import { read } from './theirs.ts';\n${base}`;
    const { conflicts } = await merge({ kind: 'ts', base: imports + base, ours, theirs });
    expect(conflicts).toHaveLength(1);
  });

  test('one module imported by both is one import', async () => {
    const ours = `import { read } from './files.ts';\n${base}`;
    const theirs = `import { write } from './files.ts';\n${base}`;
    const { text } = await merge({ kind: 'ts', base, ours, theirs });
    expect(text).toMatch(/^import \{ (read, write|write, read) \} from '.\/files.ts';\n\n?export/);
  });

  test('two statements that both leave the function at one place are a conflict', async () => {
    const ours = base.replace('  use(a);\n', '  if (!a) return;\n  use(a);\n');
    const theirs = base.replace('  use(a);\n', '  if (a.shut) throw gone();\n  use(a);\n');
    const { conflicts } = await merge({ kind: 'ts', base, ours, theirs });
    expect(conflicts).toHaveLength(1);
  });

  test('what the trees cannot resolve is never resolved by lines', async () => {
    const merged = await merge({
      kind: 'ts',
      base: 'const a = 1; two(2);\n\nlast();\n',
      ours: 'const a = 10; two(2);\n\nlast();\n',
      theirs: 'const a = 20; two(2);\n\nlast();\n',
    });
    expect(merged.conflicts).toMatchObject([
      { ours: 'const a = 10; two(2);\n', theirs: 'const a = 20; two(2);\n' },
    ]);
  });

  test('a statement that theirs replaces and ours wrapped is a conflict', async () => {
    const wrapped = base.replace('  use(a);\n', "  if (wanted) {\n    app.get('/a', use);\n  }\n");
    const merged = await merge({
      kind: 'ts',
      base: base.replace('use(a)', "app.get('/a', use)"),
      ours: wrapped,
      theirs: base.replace('use(a)', "app.get('/b', use)"),
    });
    expect(merged.conflicts).toHaveLength(1);
  });

  const three = base.replace('  use(a);\n', '  use(a);\n  read(a);\n  shut(a);\n');
  const block = (open: string, close: string) =>
    three.replace(/ {2}use[^]*?shut\(a\);\n/, (body) => {
      return `  ${open}\n${body.replaceAll(/^/gm, '  ').trimEnd()}\n  ${close}\n`;
    });

  test.each([
    ['in the middle', 'read(a)', 'a.write(4, 7)'],
    ['at the end', 'shut(a)', 'leave(app, a)'],
    ['by two', 'read(a);', 'a.write(4, 7);\n  a.flush();'],
  ])(
    'a statement that theirs replaces is replaced inside a block around it: %s',
    async (_, old, by) => {
      const ours = block('try {', '} finally {\n    note(a);\n  }');
      const theirs = three.replace(old, by);
      const merged = await merge({ kind: 'ts', base: three, ours, theirs });
      const expected = ours.replace(old, by.replace('\n', '\n  '));
      expect(merged).toEqual({ text: expected, conflicts: [] });
    },
  );

  test('at the end of a block, with more behind it, that is a conflict', async () => {
    const [last, more] = ['  shut(a);\n', '  shut(a);\n  done();\n'];
    const texts = {
      base: three.replace(last, more),
      ours: block('if (wanted) {', '}').replace('}\n}', '}\n  done();\n}'),
      theirs: three.replace(last, more).replace('shut(a)', 'leave(app, a)'),
    };
    const { conflicts } = await merge({ kind: 'ts', ...texts });
    expect(conflicts).toHaveLength(1);
  });

  test('a wrapped call follows its change into the block', async () => {
    const ours = base.replace('  use(a);\n', '  if (wanted) {\n    use(a);\n  }\n');
    const theirs = base.replace('use(a)', 'use(a.b, 1)');
    const { text } = await merge({ kind: 'ts', base, ours, theirs });
    expect(text).toBe(ours.replace('use(a)', 'use(a.b, 1)'));
  });
});

describe('what ours deleted and theirs rewrote is not put back silently', () => {
  const before = `export async function change(open: Database, input: Row) {
  check(input);
  await open
    .updateTable('posts')
    .set({ updated_at: now(), ...input })
    .where('id', '=', input.id)
    .execute();
  if (input.isOpen && input.count > 1) tell(input);
  return read(open);
}\n`;

  test.each([
    ['a chain of calls', /  await open[^;]*;\n/, '...input', '...row'],
    ['a condition', /  if .*\n/, 'input.count > 1', 'input.count > 2'],
  ])('%s', async (_, statement, old, by) => {
    const base = before;
    const [deleted = ''] = statement.exec(base) ?? [];
    const ours = base.replace(deleted, '');
    const { text, conflicts } = await merge({
      kind: 'ts',
      base,
      ours,
      theirs: base.replace(old, by),
    });
    expect(conflicts).toMatchObject([
      { ours: '', base: deleted, theirs: deleted.replace(old, by) },
    ]);
    expect(takeSide(text, 'ours')).toBe(ours);
  });

  test.each([
    ['a chain of calls', 'now()', 'soon()', 'then()'],
    ['a condition', 'input.count > 1', 'input.count > 2', 'input.count > 3'],
  ])('%s that both changed is one conflict', async (_, old, our, their) => {
    const [ours, theirs] = [before.replace(old, our), before.replace(old, their)];
    const { text, conflicts } = await merge({ kind: 'ts', base: before, ours, theirs });
    expect(conflicts).toHaveLength(1);
    expect([takeSide(text, 'ours'), takeSide(text, 'theirs')]).toEqual([ours, theirs]);
  });
});

describe('a value that one side wrapped takes the edit of the other side', () => {
  const base = 'save({\n  views: number.int({ min: 0, max: 9 }),\n});\n';
  const edited = base.replace('min: 0', 'min: 7');

  test.each([
    ['theirs', edited, base.replace(/number.*\)/, 'String($&)')],
    ['ours', base.replace(/number.*\)/, 'String($&)'), edited],
  ])('%s', async (_, ours, theirs) => {
    const merged = await merge({ kind: 'ts', base, ours, theirs });
    const text = edited.replace(/number.*\)/, 'String($&)');
    expect(merged).toEqual({ text, conflicts: [] });
  });

  test.each([
    ['both did', edited.replace(/number.*\)/, 'Math.abs($&)')],
    ['the other one calls something else', base.replace('int', 'float')],
  ])('not where %s', async (_, theirs) => {
    const ours = base.replace(/number.*\)/, 'String($&)');
    const { conflicts } = await merge({ kind: 'ts', base, ours, theirs });
    expect(conflicts).toHaveLength(1);
  });
});

describe('what ours deleted while theirs only changed its comment', () => {
  const base = 'one();\n\n/** Of two. */\nfunction two() {}\n\nfunction last() {}\n';
  const ours = 'one();\n\nfunction last() {}\n';
  const theirs = base.replace('Of two.', 'Of more.').replace('one', 'first');

  test('does not come back', async () => {
    const merged = await merge({ kind: 'ts', base, ours, theirs });
    expect(merged).toEqual({ text: ours.replace('one', 'first'), conflicts: [] });
  });

  test('is a conflict where ours has it elsewhere', async () => {
    const moved = ours.replace('last() {', 'last() {\n  /** Of two. */\n  function two() {}\n');
    const { conflicts } = await merge({ kind: 'ts', base, ours: moved, theirs });
    expect(conflicts).toMatchObject([{ ours: '', theirs: expect.stringContaining('Of more.') }]);
  });
});

describe('an import that ours no longer needed and theirs needs again comes back without a question', () => {
  const base = `import { deleteRow, findRow } from '../lib/rows.ts';

export function find(id: string) {
  return findRow(id);
}

export function remove(id: string) {
  return deleteRow(id);
}\n`;
  const added = '\nexport function clear() {\n  deleteRow();\n}\n';
  const without = base.replace('deleteRow, ', '').replace('deleteRow(id)', 'erase(id)');
  const theirs = base + added;

  test.each([
    ['of several', without, (text: string) => text.replace('{ findRow', '{ findRow, deleteRow')],
    [
      'by an alias',
      without.replace('../lib/rows.ts', '#lib/rows'),
      (text: string) => text.replace('{ findRow', '{ findRow, deleteRow'),
    ],
    [
      'the only one',
      without.replace(/import.*\n\n/, '').replace('findRow(', 'seek('),
      (text: string) => `import { deleteRow } from '../lib/rows.ts';\n\n${text}`,
    ],
  ])('%s', async (_, ours, imported) => {
    const merged = await merge({ kind: 'ts', base, ours, theirs });
    expect(merged).toEqual({ text: imported(ours) + added, conflicts: [] });
  });

  test('not where ours has something else of that name', async () => {
    const ours = `${without}\nfunction deleteRow() {}\n`;
    const { text } = await merge({ kind: 'ts', base, ours, theirs });
    expect(text).not.toContain('deleteRow,');
    expect(text).not.toContain(', deleteRow');
  });
});

test('the path to a place is printed as a person would write it', () => {
  const posts = { kind: 'value', name: ['posts'] } as const;
  const owner = ['owner', '(', "'author_id'", ')'];
  expect(printItemPath([posts, { kind: 'object', name: owner }])).toBe(
    "posts › owner('author_id')",
  );
  const define = { kind: 'call', name: ['definePolicy'], argument: [] } as const;
  expect(printItemPath([posts, define])).toBe('posts › definePolicy');
  const route = { kind: 'call', name: ['app', '.', 'post'], argument: ['"/:id/restore"'] } as const;
  expect(printItemPath([posts, route, { kind: 'if', name: ['ready'] }])).toBe(
    'posts › app.post("/:id/restore" › if ready',
  );
  expect(printItemPath([posts, posts, { kind: 'object', name: [] }])).toBe('posts');
});
