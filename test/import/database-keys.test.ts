import { expect, test } from 'vitest';
import { findModel } from '../../src/model/lookups.ts';
import { engines } from '../../src/types/field-type.ts';
import { appOf, importedFrom, whatBecame } from './import-database.ts';

test.each(engines)('a database may pair two models twice, on %s', async (engine) => {
  const { text } = await importedFrom(
    engine,
    `create table "Post" (id integer primary key); create table "Tag" (id integer primary key);
    create table "_PostToTag" ("A" integer not null references "Post" (id), "B" integer not null references "Tag" (id), primary key ("A", "B"));
    create table "_HiddenTags" ("A" integer not null references "Post" (id), "B" integer not null references "Tag" (id));
    create unique index hidden_tags on "_HiddenTags" ("A", "B");`,
  );
  const tables = appOf(text).joinTables.map(({ table }) => table);
  expect(tables.toSorted()).toEqual(['Post_postToTag', 'Post_tags']);
});

test.each(engines)('a database may limit the length of a key, on %s', async (engine) => {
  const { text } = await importedFrom(
    engine,
    'create table codes (id varchar(30) primary key, word text);',
  );
  expect(text).toContain('id: { type: text, max: 30 }');
  expect(() => appOf(text)).not.toThrow();
});

test.each(engines)(
  'a database may have a column called id and another one as its key, on %s',
  async (engine) => {
    const { text } = await importedFrom(
      engine,
      `create table labels (id text, slug varchar(40) primary key, name text not null);
     create table notes (id integer primary key, slug varchar(40) references labels (slug));`,
    );
    const label = findModel('Label', appOf(text));
    expect(label?.fields.map(({ name, column }) => [name, column])).toEqual([
      ['id', 'slug'],
      ['id_value', 'id'],
      ['name', 'name'],
    ]);
    expect(text).toContain('slug: { to: Label, optional: true, index: false, column: slug');
  },
);

test.each(engines)('a database may say twice that an id is unique, on %s', async (engine) => {
  const { text } = await importedFrom(
    engine,
    `create table labels (id text primary key, name text not null);
     create unique index labels_id_key on labels (id);`,
  );
  expect(text).not.toContain('unique');
});

test('a database may have rules and indexes that a schema cannot express', async () => {
  const { text, notes } = await importedFrom(
    'postgres',
    `create table shelves (id bigserial primary key);
     create table books (id bigserial primary key, shelf_id bigint not null references shelves (id), place int not null, code text not null,
       unique (shelf_id, place) deferrable initially deferred);
     create index books_shelf on books using hash (shelf_id);
     create index books_code on books (code);
     create index books_place on books (place);
     create index books_place_id on books (place, id);`,
  );
  expect(text).toContain('shelf: { to: Shelf, index: false }');
  expect(text).toContain('indexes: bare');
  expect(text).toContain('- [place, id]');
  expect(text).not.toContain('unique');
  expect(notes.notes.map(({ what }) => what)).toContain('index books_shelf_id_place_key');
});

test.each(engines)('a database may use ids as foreign keys, on %s', async (engine) => {
  const { text, notes } = await importedFrom(
    engine,
    `create table members (id integer primary key);
     create table profiles (id integer primary key references members (id), bio text);`,
  );
  expect(findModel('Profile', appOf(text))?.fields.map(({ column }) => column)).toEqual([
    'id',
    'bio',
    'member_id',
  ]);
  expect(text).toContain('member: { to: Member, unique: true }');
  expect(whatBecame(notes)).toContain(
    'foreign key (id) to members -> its column is called `member_id`',
  );
});

test.each(engines)('a database may name a column like a key, on %s', async (engine) => {
  const { text } = await importedFrom(
    engine,
    `create table members (id integer primary key);
     create table notes (id integer primary key, author integer references members (id), author_id text);`,
  );
  expect(text).toContain('author_id_value: { type: text?, column: author_id }');
  expect(() => appOf(text)).not.toThrow();
});
