import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  listMentions,
  mentionsInLiterals,
} from '../../src/commands/regenerate/semantic/mentions.ts';
import { listRemovedWords } from '../../src/commands/regenerate/semantic/removed-words.ts';
import { carryIds } from '../../src/model/carry.ts';
import { appOf } from '../evolve/support/app-of.ts';
import { listOwnerFiles } from '../../src/commands/regenerate/semantic/owner-code.ts';
import { plannedTexts } from '../../src/commands/regenerate/semantic/places.ts';
import { listLiterals } from '../../src/merge/typescript/literals.ts';
import { newProject, planned } from '../support/changed-project.ts';
import { root } from '../support/root.ts';

const gone = [
  { word: 'title', newName: 'heading', tables: ['posts'], others: [] },
  { word: 'rating', tables: ['posts'], others: [] },
  { word: 'name', newName: 'label', tables: ['tags'], others: ['users'] },
  { word: '/api/posts', newName: '/api/articles', tables: ['posts'], others: [] },
];

function mentioned(text: string): string[] {
  const source = { path: 'src/latest.ts', text, literals: listLiterals('src/latest.ts', text) };
  return mentionsInLiterals(source, gone).map(
    ({ word, newName, column }) => `${column} ${word} ${newName}`,
  );
}

describe('a text of the owner', () => {
  test.each([
    ['SQL', "read('select title from posts');", ['14 title heading']],
    ['a part of SQL', "read(' where title like ?');", ['14 title heading']],
    ['a text in the gap of SQL', "sql`${column('title')} is null`;", ['15 title heading']],
    ['SQL with gaps', 'read(`select ${all} from posts order by title`);', ['41 title heading']],
    ['SQL by its tag', 'sql`title || ${end}`;', ['5 title heading']],
    ['SQL by its function', "sql.raw('rating');", ['10 rating undefined']],
    [
      'twice',
      "read('select title, p.title from posts p');",
      ['14 title heading', '23 title heading'],
    ],
    ['the word alone', "pick('title');", ['7 title heading']],
    ['a key, next to its table', '({ posts, title: input.heading.trim() });', ['11 title heading']],
    ['a short key, next to its table', 'add(posts, { title });', ['14 title heading']],
    [
      'a key whose value has the new name',
      "open('posts');\nconst row = { title: input.heading };",
      ['15 title heading'],
    ],
    [
      'a key in a spread',
      "open('posts');\nsave({ ...row, ...(isDraft && { title: 'A draft' }) });",
      ['33 title heading'],
    ],
    ['the word as an order', "list({ order_by: '-title' });", ['20 title heading']],
    ['the word of a table', "pick('posts.title');", ['13 title heading']],
    ['a word of two, told by its table', "read('select name from tags');", ['14 name label']],
    [
      'a word of two, in a query of its table',
      "open.selectFrom('tags').where((is) => is('name', '=', x));",
      ['43 name label'],
    ],
    [
      'a filter',
      "list('limit=1&title__gte=a&author.title=b');",
      ['15 title heading', '35 title heading'],
    ],
    [
      'an order and a choice',
      "get('?order_by=-id,-title&fields=title');",
      ['21 title heading', '34 title heading'],
    ],
    ['a filter of a list', 'get(`/api/tags/?name=${it}`);', ['17 name label']],
    ['an address', 'get(`/api/posts/${id}`);', ['6 /api/posts /api/articles']],
    [
      'an address of a host',
      "fetch('http://localhost:3000/api/posts?limit=1');",
      ['29 /api/posts /api/articles'],
    ],
    ['an address behind a gap', 'fetch(`${base}/api/posts/`);', ['15 /api/posts /api/articles']],
  ])('%s', (_, text, expected) => expect(mentioned(text)).toEqual(expected));

  test.each([
    ['a comment', '// select title from posts'],
    ['a variable', 'title = rating;'],
    ['a key without its table', "({ title: 'A letter from home' });"],
    ['a key of a problem', "open('posts');\nsend({ status: 409, title: 'Taken' });"],
    ['a key of a row of other tables', "open('posts');\nadd(tags, { title: 'News' });"],
    ['a key of what a list is in', "({ posts: list('all'), heading });"],
    [
      'a key of options beside a function',
      "get('/', { schema: { title: 'Latest' } }, () => {\n  open('posts').pick('heading');\n});",
    ],
    ['what a test expects of a problem', "open('posts');\nexpect(it).toEqual({ title: 'Gone' });"],
    [
      'what a test of the table expects of a row of another one',
      "test('posts', async () => expect(await get('/api/tags/9')).toMatchObject({ title }));",
    ],
    ['a sentence', "say('The title of a letter from home');"],
    ['a part of a word', "read('select subtitle, title_id, sub-title from posts');"],
    ['a word of two, of the other table', "read('select name from users');"],
    ['a word of two, alone', "pick('name');"],
    ['a word of two, in a query of the other table', "open.selectFrom('users').select('name');"],
    ['the name of a module', "import x from 'title';"],
    ['a value of a filter', "list('kind=title');"],
    ['a longer address', "get('/api/posts-by-day');"],
    ['an address of others', "fetch('https://other.test/v1/api/posts');"],
  ])('is not %s', (_, text) => expect(mentioned(text)).toEqual([]));
});

describe('a table whose name means something else as well, and the value of an enum', () => {
  const others = [
    { word: 'scopes', newName: 'telescopes', tables: ['scopes', 'telescopes'], others: ['guns'] },
    { word: 'nervous', newName: 'shy', tables: [], others: [], isValue: true },
    { word: 'name', tables: ['bees'], others: ['bees'], isValue: true },
    { word: 'sting', newName: 'needle', tables: ['bees'], others: [] },
    { word: 'colour', newName: 'hue', tables: ['bees'], others: ['wasps'] },
  ];
  const found = (text: string) => {
    const source = { path: 'src/tonight.ts', text, literals: listLiterals('src/tonight.ts', text) };
    return mentionsInLiterals(source, others).map(({ word, isBroken = false }) => [word, isBroken]);
  };

  test.each([
    ['a query', "open.selectFrom('scopes').selectAll();", 'scopes', true],
    ['a query under a name', "open.selectFrom('scopes as s');", 'scopes', true],
    [
      'a join on another line',
      "open\n  .selectFrom(a)\n  .innerJoin('scopes', x, y);",
      'scopes',
      true,
    ],
    ['a query of several', "open.selectFrom(['bees', 'scopes as s'] as const);", 'scopes', true],
    ['an update', "open.updateTable(a).from('scopes');", 'scopes', true],
    ['SQL', 'sql`delete from scopes where id = ${id}`;', 'scopes', true],
    ['SQL of its table', 'sql`insert into bees (sting) values (1)`;', 'sting', true],
    ['a part of SQL that names its table', 'sql`lower(bees.colour) = ${it}`;', 'colour', true],
    [
      'SQL of its table, which is named before it, and of one that has the word',
      'sql`select "bees"."colour" from bees join wasps on true`;',
      'colour',
      true,
    ],
    [
      'SQL of its table and of one that has the word',
      "read('select colour from bees join wasps');",
      'colour',
      false,
    ],
    ['SQL of another table', "read('select sting from wasps');", 'sting', false],
    ['SQL that only answers by it', 'read(`select needle as "sting" from bees`);', 'sting', false],
    ['a value of SQL', "read(`select id from bees where part = 'sting'`);", 'sting', false],
    ['a value', "open.updateTable(t).set({ temper: 'nervous' });", 'nervous', false],
    [
      'a value that a field is called by',
      "open.updateTable('bees').set({ state: 'name' });",
      'name',
      false,
    ],
    ['a value in SQL', "read(`select id from bees where temper = 'nervous'`);", 'nervous', false],
  ])('is found in %s', (_, text, word, isBroken) =>
    expect(found(text)).toEqual([[word, isBroken]]),
  );

  test.each([
    ['the word alone', "pick('scopes');"],
    [
      'what a test of the table expects of a row of another one',
      "test('posts', async () => expect(await get('/api/tags/9')).toMatchObject({ title }));",
    ],
    ['a sentence', "say('All of them are nervous.');"],
    ['a value that a field is called by, with no table beside it', "pick('name');"],
  ])('is not %s', (_, text) => expect(found(text)).toEqual([]));
});

test('removed words are known by what they named', async () => {
  const blog = readFileSync(join(root, 'fixtures/apps/blog/schema.yaml'), 'utf8');
  const latest = "export const latest = 'select title, rating, name from posts join tags on 1';\n";
  const routes = madeFile('src/posts/routes.ts');
  const folder = await newProject(blog, {
    'src/latest.ts': latest,
    'dist/latest.js': latest,
    'src/own/made.gen.ts': latest,
    '.gitignore': 'dist/\n*.gen.ts\nsrc/*/kept\n!kept\n',
    'src/posts/routes.ts': `${routes}\nexport const order = 'title';\n`,
    // As generated, in another layout.
    ...Object.fromEntries(
      ['src/lib/problem.ts', 'src/posts/schema.ts', 'src/lib/sql.ts'].map((path) => [
        path,
        madeFile(path).replaceAll("'", '"').replaceAll('  ', '    '),
      ]),
    ),
  });
  const schema = blog
    .replace('      title: string', '      heading: string')
    .replace('      rating: decimal(3,2)?\n', '')
    .replace('      name: string(1..40)', '      label: string(1..40)');
  const renames = ['Post.title=heading', 'Tag.name=label'];
  const { project, regeneration } = await planned(folder, schema, renames);
  expect(listRemovedWords(project.app, regeneration.app)).toEqual([
    { word: 'rating', tables: ['posts'], others: [] },
    { word: 'title', newName: 'heading', tables: ['posts', 'posts'], others: [] },
    { word: 'name', newName: 'label', tables: ['tags', 'tags'], others: ['users'] },
  ]);
  const own = listOwnerFiles(project, regeneration, plannedTexts(regeneration.plan));
  const mentions = await listMentions(own, listRemovedWords(project.app, regeneration.app));
  expect(
    mentions.map(({ path, line, column, word }) => `${path}:${line}:${column} ${word}`),
  ).toEqual([
    'src/latest.ts:1:31 title',
    'src/latest.ts:1:38 rating',
    'src/latest.ts:1:46 name',
    `src/posts/routes.ts:${routes.split('\n').length + 1}:23 title`,
  ]);
});

test('the address of a list changes with its path', async () => {
  const blog = readFileSync(join(root, 'fixtures/apps/blog/schema.yaml'), 'utf8');
  const path = 'src/client.ts';
  const folder = await newProject(blog, {
    [path]: "export const newest = () => fetch('http://localhost:3000/api/comments/?limit=1');\n",
  });
  const schema = blog.replace('  Comment:\n', '  Comment:\n    path: remarks\n');
  const { project, regeneration } = await planned(folder, schema, []);
  const own = listOwnerFiles(project, regeneration, plannedTexts(regeneration.plan));
  expect(await listMentions(own, listRemovedWords(project.app, regeneration.app))).toMatchObject([
    { path, line: 1, word: '/api/comments', newName: '/api/remarks' },
  ]);
});

test('a file that a command made is named once, with the command', async () => {
  const blog = readFileSync(join(root, 'fixtures/apps/blog/schema.yaml'), 'utf8');
  const made = '// Made by `npm run client` from the OpenAPI document of the server.\n';
  const folder = await newProject(blog, {
    'client/api.ts': `${made}get('/api/comments/');\nget('/api/comments/1');\n`,
  });
  const schema = blog.replace('  Comment:\n', '  Comment:\n    path: remarks\n');
  const { project, regeneration } = await planned(folder, schema, []);
  const own = listOwnerFiles(project, regeneration, plannedTexts(regeneration.plan));
  expect(await listMentions(own, listRemovedWords(project.app, regeneration.app))).toMatchObject([
    { path: 'client/api.ts', line: 1, column: 1, madeBy: 'npm run client' },
  ]);
});

function madeFile(path: string): string {
  return readFileSync(join(root, 'fixtures/apps/blog/sqlite', path), 'utf8');
}

test('a key that became links is gone, and nothing has its name', () => {
  const one = 'vet: User?';
  const many = 'helpers: { to: User, many: true, was: vet }';
  const text = `models: { Visit: { fields: { reason: string }, relations: { ${one} } } }`;
  const before = appOf(text);
  const after = carryIds(before, appOf(text.replace(one, many)));
  expect(listRemovedWords(before, after)).toEqual([
    { word: 'vet_id', tables: ['visits'], others: [] },
    { word: 'vet', tables: ['visits'], others: [] },
  ]);
});
