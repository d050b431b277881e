import { expect, test } from 'vitest';
import type { App } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { readCarriedIds, restoreIds } from '../../src/model/carried-ids.ts';
import { carryIds } from '../../src/model/carry.ts';
import { parseRename, findRenameFlaw } from '../../src/model/rename.ts';
import { appOf } from '../evolve/support/app-of.ts';
import { at, field, model, schemaOf } from './schema-values.ts';

const blog = appOf(`
enums: { Status: [draft, live] }
models:
  Post:
    fields: { title: string, body: text, status: Status }
    relations: { author: { to: User, inverse: posts }, tags: { to: Tag, many: true, inverse: posts } }
  Tag: { fields: { label: string } }
`);

test('what keeps its name keeps its id', () => {
  expect(carryIds(blog, blog)).toEqual(blog);
});

test('a rename is stated in the schema or beside it, once and for all', () => {
  const body = `
enums: { Status: [{ value: new, was: draft }, live] }
models:
  Article:
    was: Post
    fields: { heading: { type: string, was: title }, text: text, status: Status }
    relations: { writer: { to: User, inverse: articles, was: author }, topics: { to: Topic, many: true, inverse: posts } }
  Topic: { fields: { label: string } }
`;
  const next = appOf(body);
  const renames = ['Tag=Topic', 'Article.body=text', 'Post.tags=topics'];
  const carried = carryIds(blog, next, told(renames));
  expect(pairs(carried)).toEqual({
    'Status.new': 'value:Status.draft',
    'Status.live': 'value:Status.live',
    Article: 'model:Post',
    'Article.heading': 'field:Post.title',
    'Article.text': 'field:Post.body',
    'Article.status': 'field:Post.status',
    'Article.writer_id': 'field:Post.author_id',
    'Article.writer': 'relation:Post.author',
    'Article.topics': 'relation:Post.tags',
    'User.articles': 'inverse:Post.author',
    Topic: 'model:Tag',
    'Topic.label': 'field:Tag.label',
    'Topic.posts': 'inverse:Post.tags',
    posts_topics: undefined,
    articles_topics: 'join:Post.tags',
  });
  expect(carryIds(carried, next)).toEqual(carried);
});

test('a renamed enum is known by the former names of its values', () => {
  const renamed = 'State: [{ value: new, was: draft }, live]';
  expect(stateIds(renamed)).toEqual(['value:Status.draft', 'value:Status.live']);
  expect(stateIds(renamed, 'Status: [draft, live]')).toEqual([
    'value:State.new',
    'value:State.live',
  ]);
  expect(stateIds('State: [new, live]')).toEqual(['value:State.new', 'value:State.live']);
});

function stateIds(...enums: readonly string[]): readonly string[] | undefined {
  const next = appOf(`
enums: { ${enums.join(', ')} }
models: { Post: { fields: { status: State } } }
`);
  const state = carryIds(blog, next).enums.find(({ name }) => name === 'State');
  return state?.values.map(({ id }) => id);
}

test('names are swapped and passed on', () => {
  const same = appOf(`models: { Note: { fields: { a: int, b: int, c: int } } }`);
  const swapped = carryIds(same, same, told(['Note.a=b', 'Note.b=a']));
  expect(fieldIds(swapped)).toEqual(['field:Note.b', 'field:Note.a', 'field:Note.c']);
  const chain = appOf(`models: { Note: { fields: { b: int, c: int, d: int } } }`);
  const handed = carryIds(same, chain, told(['Note.a=b', 'Note.b=c', 'Note.c=d']));
  expect(fieldIds(handed)).toEqual(['field:Note.a', 'field:Note.b', 'field:Note.c']);
});

test('a `was` that has been followed is not followed again', () => {
  const one = field('a', 'int', { was: at('b') });
  const two = field('b', 'int', { was: at('a') });
  const swapped = buildApp(schemaOf([model('Note', { fields: [one, two] })]));
  const before = buildApp(
    schemaOf([model('Note', { fields: [field('a', 'int'), field('b', 'int')] })]),
  );
  const carried = carryIds(before, swapped);
  expect(fieldIds(carried)).toEqual(['field:Note.b', 'field:Note.a']);
  expect(fieldIds(carryIds(carried, swapped))).toEqual(['field:Note.b', 'field:Note.a']);
});

test('what is new has an id that nothing had before', () => {
  const before = appOf(`models: { Note: { fields: { title: string } } }`);
  const heading = `heading: { type: string, was: title }`;
  const renamed = carryIds(before, appOf(`models: { Note: { fields: { ${heading} } } }`));
  const next = appOf(`models: { Note: { fields: { heading: string, title: string } } }`);
  expect(fieldIds(carryIds(renamed, next))).toEqual(['field:Note.title', 'field:Note.title~2']);
});

test('a relation to another model is another relation', () => {
  const before = appOf(
    `models: { Note: { relations: { owner: User } }, Team: { fields: { name: string } } }`,
  );
  const next = appOf(
    `models: { Note: { relations: { owner: Team } }, Team: { fields: { name: string } } }`,
  );
  const note = carryIds(before, next).models.find(({ names }) => names.type === 'Note');
  expect(note?.relations.map(({ id }) => id)).toEqual(['relation:Note.owner~2']);
  expect(note?.fields.find(({ role }) => role === 'key')?.id).toBe('field:Note.owner_id~2');
});

test('a rename to a name that is not there changes nothing', () => {
  const before = appOf(`models: { Note: { fields: { title: string } } }`);
  const renamed = carryIds(before, before, told(['Note.title=heading']));
  expect(fieldIds(renamed)).toEqual(['field:Note.title']);
});

test.each([
  ['Post=Article', { from: 'Post', to: 'Article' }],
  ['Post.title=heading', { owner: 'Post', from: 'title', to: 'heading' }],
  ['Post.title=Post.heading', { owner: 'Post', from: 'title', to: 'heading' }],
  ['Size.1.5=m', { owner: 'Size', from: '1.5', to: 'm' }],
  ['Post', undefined],
  ['=Post', undefined],
])('reads %s', (text, rename) => expect(parseRename(text)).toEqual(rename));

test.each([
  [{ from: 'User', to: 'Post' }, '`User` keeps its name.'],
  [
    { from: 'Page', to: 'Post' },
    'There was no `Page` in the schema when the project was last generated.',
  ],
  [{ owner: 'Post', from: 'title', to: 'head' }, 'There is no `head` in `Post` now.'],
  [{ owner: 'Post', from: 'title', to: 'body' }, undefined],
])('says what is wrong with %j', (rename, flaw) => {
  expect(findRenameFlaw(rename, blog, blog)).toBe(flaw);
});

function told(renames: readonly string[]) {
  return renames.flatMap((text) => parseRename(text) ?? []);
}

function fieldIds(app: App): readonly string[] {
  const note = app.models.find(({ names }) => names.type === 'Note');
  return note?.fields.filter(({ role }) => role === 'declared').map(({ id }) => id) ?? [];
}

/** Ids by names, except those that every model has. */
function pairs({ enums, models, joinTables }: App): Readonly<Record<string, string | undefined>> {
  return {
    ...Object.fromEntries(
      enums
        .filter(({ name }) => name !== 'Role')
        .flatMap(({ name, values }) => values.map((it) => [`${name}.${it.value}`, it.id])),
    ),
    ...Object.fromEntries(
      models.flatMap(({ id, names, fields, relations }) => [
        ...(names.type === 'User' ? [] : [[names.type, id]]),
        ...fields
          .filter(({ role }) => role === 'declared' || role === 'key')
          .map((it) => [`${names.type}.${it.name}`, it.id]),
        ...relations.map((relation) => [`${names.type}.${relation.name}`, relation.id]),
      ]),
    ),
    posts_topics: joinTables.find(({ table }) => table === 'posts_topics')?.id,
    articles_topics: joinTables.find(({ table }) => table === 'articles_topics')?.id,
  };
}

test('keys become links, once', () => {
  const many = `
models:
  Post:
    fields: { title: string }
    relations: { authors: { to: User, many: true, was: author, inverse: posts }, author: User }
`;
  const next = appOf(many.replace(', author: User }', ' }'));
  const carried = carryIds(blog, next);
  expect(carried.joinTables.map(({ id }) => id)).toEqual(['field:Post.author_id']);
  expect(restoreIds(next, readCarriedIds(carried))).toEqual(carried);
  expect(carryIds(carried, next)).toEqual(carried);
  const both = carryIds(blog, appOf(many.replace(', was: author', '')), [
    { owner: 'Post', from: 'author', to: 'authors' },
  ]);
  expect(both.joinTables.map(({ id }) => id)).toEqual(['field:Post.author_id']);
  expect(idOfField(both, 'author_id')).toBe('field:Post.author_id~2');
});

function idOfField({ models }: App, name: string): string | undefined {
  return models.flatMap(({ fields }) => fields).find((it) => it.name === name)?.id;
}

test('links become the rows of a model, once', () => {
  const next = appOf(`
models:
  Post:
    fields: { title: string }
    relations: { tags: { to: Tag, many: true, through: PostTag } }
  PostTag: { was: Post.tags, relations: { tag: Tag, post: Post, other: User? } }
  Tag: { fields: { label: string } }
`);
  const carried = carryIds(blog, next);
  const ids = ['join:Post.tags', 'join:Post.tags.right', 'join:Post.tags.left'];
  expect(idsOfPostTag(carried)).toEqual([...ids, 'field:PostTag.other_id']);
  expect(carryIds(carried, next)).toEqual(carried);
  expect(idsOfPostTag(carryIds(next, next))[0]).toBe('model:PostTag');
});

function idsOfPostTag(app: App): readonly string[] {
  const { id = '', fields = [] } = app.models.find(({ names }) => names.type === 'PostTag') ?? {};
  return [id, ...fields.filter(({ role }) => role === 'key').map((it) => it.id)];
}
