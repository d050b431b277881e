import { expect, test } from 'vitest';
import { engines } from '../../src/types/field-type.ts';
import { appOf, importedFrom, whatBecame } from './import-database.ts';

test.each(engines)('a database may list numbers unlike an enum, on %s', async (engine) => {
  const { text, notes } = await importedFrom(
    engine,
    `create table jobs (id integer primary key, level integer not null check (level in (1, 2, 3)), kind text not null check (kind = 'night'));`,
  );
  expect(appOf(text).enums.map(({ values }) => values.map(({ value }) => value))).toEqual([
    ['user', 'admin'],
    ['night'],
  ]);
  expect(whatBecame(notes)).toContainEqual(expect.stringMatching(/^check .*level.* stays/));
});

test('a database may check an order that a schema cannot express', async () => {
  const { text, notes } = await importedFrom(
    'postgres',
    `create type state as enum ('new', 'paid');
    create type "Level2" as enum ('low');
    create table orders (id bigserial primary key, state state not null, low text, high text, few integer, many bigint, meta jsonb, levels "Level2"[] not null default array['low'::"Level2"],
      check (low < high), check (few < many));
    create index late on orders (few) where state > 'new';
    create index told on orders (few) where meta is not null;
    create index known on orders (few) where state = 'paid' and many > 3;`,
  );
  const [, order] = appOf(text).models;
  expect(text).toContain('levels: { type: "string[]", default: [low] }');
  expect(order?.indexes.map(({ where }) => where)).toEqual([expect.anything()]);
  expect(whatBecame(notes)).toEqual([
    'orders.levels "Level2"[] -> `string[]`: a list of arbitrary texts',
    'index late -> a schema cannot describe it; it stays in the database',
    'index told -> a schema cannot describe it; it stays in the database',
    'check (low < high) -> it stays in the database',
    'check (few < many) -> it stays in the database',
  ]);
});

test('a database may have types with other names than enums, and two with the same values', async () => {
  const { text } = await importedFrom(
    'postgres',
    `create type state as enum ('on', 'off');
    create type "Light" as enum ('on', 'off');
    create type "it's" as enum ('so');
    create table lamps (id bigserial primary key, state state, light "Light", why "it's");`,
  );
  expect(text).toContain('storage: { enums: { State: state, ItS: text } }');
  expect(appOf(text).enums.map(({ type }) => type)).toEqual([
    undefined,
    'state',
    'Light',
    undefined,
  ]);
});

test('a database may have as many enums by checks as by types', async () => {
  const { text } = await importedFrom(
    'postgres',
    `create type mood as enum ('good');
    create table lamps (id bigserial primary key, mood mood, state text check (state in ('on', 'off')));`,
  );
  expect(text).toContain('storage: { texts: default }');
});
