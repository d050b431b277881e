import { expect, test } from 'vitest';
import { listChangedQueries } from '../../src/commands/regenerate/semantic/changed-queries.ts';
import { carryIds } from '../../src/model/carry.ts';
import { appOf } from '../evolve/support/app-of.ts';

const schema = `models:
  Post: { fields: { title: string, body: text } }
  Review: { fields: { heading: string, stars: int }, relations: { post: Post } }
`;
const before = appOf(schema);
const renamed = carryIds(
  before,
  appOf(schema.replace('title: string', 'heading: { type: string, was: title }')),
);
const softened = carryIds(before, appOf(schema.replace('Post: {', 'Post: { soft_delete: true,')));

const joined = `db.selectFrom('posts as p').innerJoin('reviews', 'reviews.post_id', 'p.id')`;

async function reportOf(text: string, after = renamed, rendered = '') {
  const found = await listChangedQueries([{ path: 'src/own.ts', text, rendered }], before, after);
  return found.map(({ line, column, isError }) => {
    const at = text.split('\n')[line - 1]?.slice(column - 1) ?? '';
    return `${isError ? 'error' : 'warning'} ${/^'?[\w]+/.exec(at)?.[0]}`;
  });
}

test.each([
  ['two tables as a whole', `${joined}.selectAll().execute();`, ['error selectAll']],
  [
    'two tables, one by one',
    `${joined}.selectAll('reviews').selectAll(['p']).execute();`,
    ['error selectAll'],
  ],
  [
    'a table and a value of that name',
    `${joined}.selectAll('p').select(['stars', 'reviews.heading']).execute();`,
    ['error selectAll'],
  ],
  [
    'a name of both without a table',
    `${joined}.select('p.id').where('heading', '=', 'A').orderBy('heading desc').execute();`,
    [`error 'heading`, `error 'heading`],
  ],
  [
    'a name of both in an expression',
    `${joined}.select((is) => [is.fn.max('heading').as('last')]).execute();`,
    [`error 'heading`],
  ],
  [
    'a name of both in a function of the database',
    `${joined}.select(db.fn.max('heading').as('last')).execute();`,
    [`error 'heading`],
  ],
  [
    'a name of both by a function that is given apart',
    `${joined}.select('p.id').where(({ eb, or }) => or([eb('heading', '=', 'A')])).execute();`,
    [`error 'heading`],
  ],
])('a query is reported that takes %s', async (_, text, expected) => {
  expect(await reportOf(text)).toEqual(expected);
  expect(await reportOf(text, before)).toEqual([]);
  expect(await reportOf(text, renamed, `// as made\n${text}`)).toEqual([]);
});

test.each([
  ['one table as a whole', `db.selectFrom('posts').selectAll().execute();`],
  ['the other table as a whole', `${joined}.selectAll('reviews').select('p.body').execute();`],
  ['the value of the same table', `${joined}.selectAll('p').select('p.heading').execute();`],
  ['another name', `${joined}.selectAll('p').select('reviews.heading as name').execute();`],
  [
    'what a function adds, of one table',
    `db.selectFrom('posts').selectAll().$call(more).execute();`,
  ],
  [
    'an order by a selected value',
    `${joined}.select('reviews.heading').orderBy('heading').execute();`,
  ],
  ['a text', `${joined}.select('p.id').where('p.body', '=', 'heading').execute();`],
  [
    'a text for a function of its own',
    `${joined}.select('p.id').where('p.body', '=', labelOf('heading')).execute();`,
  ],
  [
    'a text for something else',
    `${joined}.select('p.id').where('p.body', '=', input.get('heading')).execute();`,
  ],
  [
    'a text for each case',
    `${joined}.select((is) => is.case().when('p.id', '=', 1).then('heading').else('heading').end().as('kind')).execute();`,
  ],
  [
    'a key of JSON',
    `${joined}.select((is) => is.ref('p.body', '->>').key('heading').as('kind')).execute();`,
  ],
  [
    'a text of what is done with the rows',
    `${joined}.select('p.id').execute().then((all) => print('heading', all));`,
  ],
  [
    'a name of one table in an inner query',
    `db.selectFrom('posts').where((is) => is.exists(is.selectFrom('reviews').select('heading'))).execute();`,
  ],
])('a query is not reported that takes %s', async (_, text) =>
  expect(await reportOf(text)).toEqual([]),
);

const counted = `db.selectFrom('posts').select((is) => is.fn.countAll().as('n'))`;

test('a query of a table is reported whose deleted rows stay from now on', async () => {
  expect(await reportOf(`${counted}.execute();`, softened)).toEqual([`warning 'posts`]);
  expect(await reportOf(`${joined}.select('p.id').execute();`, softened)).toEqual([
    `warning 'posts`,
  ]);
  expect(await reportOf(`${counted}.execute();`)).toEqual([]);
});

test.each([
  ['asks for the mark', `${counted}.where('deleted_at', 'is', null).execute();`],
  [
    'asks for the mark in another statement',
    `function f() { const all = ${counted}; return all.where('deleted_at', 'is', null); }`,
  ],
  ['gets a condition elsewhere', `${counted}.$call(present).execute();`],
  ['goes through a function', `present(${counted}).execute();`],
  ['writes', `db.updateTable('posts').set({ body: '' }).execute();`],
  ['reads another table', `db.selectFrom('reviews').selectAll().execute();`],
])('a query of such a table is not reported that %s', async (_, text) =>
  expect(await reportOf(text, softened)).toEqual([]),
);

test.each([
  ['keeps', `${joined}.selectAll('p').select('reviews.heading').execute();`, []],
  ['loses', `${joined}.select('reviews.heading').selectAll('p').execute();`, ['error selectAll']],
  ['keeps', `${joined}.selectAll().execute();`, []],
  [
    'loses',
    `db.selectFrom('reviews').innerJoin('posts', 'posts.id', 'post_id').selectAll().execute();`,
    ['error selectAll'],
  ],
])('a query %s its value beside a column that did not exist', async (_, text, expected) => {
  const added = carryIds(
    before,
    appOf(schema.replace('body: text', 'body: text, heading: string?')),
  );
  expect(await reportOf(text, added)).toEqual(expected);
});
