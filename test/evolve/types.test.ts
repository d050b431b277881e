import { date, sample } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { buildApp } from '../../src/model/build.ts';
import { fieldTypes } from '../../src/types/all.ts';
import type { Json, Engine } from '../../src/types/field-type.ts';
import type { FieldSchema } from '../../src/schema/keys/field.ts';
import { at, enumOf, field, model, schemaOf } from '../model/schema-values.ts';
import { insert, openDatabase, type TestDatabase } from './database.ts';

interface Case {
  readonly type: string;
  readonly rest?: Partial<FieldSchema>;
  readonly value: Json;
  /** What is stored, as text, when it is not the value itself. */
  readonly sqlite?: string;
  readonly postgres?: string;
}

const money = { precision: 6, scale: 2 };

const cases: readonly Case[] = [
  { type: 'string', value: `O'Hara "says" \\n` },
  { type: 'string', rest: { max: at('5') }, value: '🌹🌹🌹🌹🌹' },
  { type: 'text', value: 'two\nlines' },
  { type: 'text', rest: { min: at('1'), max: at('9') }, value: 'x' },
  { type: 'email', value: 'ann@example.test' },
  { type: 'url', value: 'https://example.test/?a=1&b=%20' },
  { type: 'int', value: 2147483647 },
  { type: 'int', value: -2147483648 },
  { type: 'int', rest: { min: at('-5'), max: at('5') }, value: -5 },
  { type: 'bigint', value: '9223372036854775807' },
  { type: 'bigint', value: '-9223372036854775808' },
  { type: 'bigint', rest: { min: at('-9223372036854775808') }, value: '-9007199254740993' },
  { type: 'float', value: 0.1 },
  { type: 'float', value: 1e21, sqlite: '1.0e+21', postgres: '1e+21' },
  { type: 'float', rest: { min: at('-0.5') }, value: -0.5 },
  { type: 'decimal', rest: money, value: '1.50', sqlite: '150' },
  { type: 'decimal', rest: money, value: '-9999.99', sqlite: '-999999' },
  { type: 'decimal', rest: money, value: '-0.05', sqlite: '-5' },
  { type: 'decimal', rest: { precision: 18, scale: 0 }, value: '999999999999999999' },
  {
    type: 'decimal',
    rest: { precision: 18, scale: 18 },
    value: '0.999999999999999999',
    sqlite: '999999999999999999',
  },
  { type: 'bool', value: true, sqlite: '1' },
  { type: 'bool', value: false, sqlite: '0' },
  { type: 'date', value: '2024-02-29' },
  { type: 'time', value: '23:59:59.999' },
  { type: 'datetime', value: '2026-01-02T03:04:05.678Z', postgres: '2026-01-02 03:04:05.678+00' },
  { type: 'uuid', value: '01941f29-7c00-7000-8000-0000000000ff' },
  { type: 'json', value: { a: [1, null, "it's"] }, postgres: `{"a": [1, null, "it's"]}` },
  { type: 'json', value: 'text', sqlite: '"text"', postgres: '"text"' },
  { type: 'bytes', value: 'aGVsbG8=', sqlite: 'hello', postgres: '\\x68656c6c6f' },
  {
    type: 'bytes',
    rest: { max: at('5') },
    value: 'aGVsbG8=',
    sqlite: 'hello',
    postgres: '\\x68656c6c6f',
  },
  {
    type: 'string[]',
    value: ["it's", 'a "list"', 'of\\, {texts}', 'null', '', 'two\nlines\r'],
    sqlite: String.raw`["it's","a \"list\"","of\\, {texts}","null","","two\nlines\r"]`,
    postgres: String.raw`{it's,"a \"list\"","of\\, {texts}","null","","two` + '\nlines\r"}',
  },
  { type: 'string[]', value: [], sqlite: '[]', postgres: '{}' },
  { type: 'int[]', value: [7, -42], sqlite: '[7,-42]', postgres: '{7,-42}' },
  { type: 'Season', value: 'late autumn' },
];

describe.each(['sqlite', 'postgres'] as const)('a value of every type on %s', (engine) => {
  test('goes in as SQL and is stored in full', async () => {
    const fields = cases.map(({ type, rest, value }, index) =>
      field(`f${index}`, type, { ...rest, default: at(value) }),
    );
    const database = await openSample(engine, fields);
    await database.run(
      engine === 'sqlite'
        ? insert('samples', { id: 1 })
        : `SET TimeZone = 'UTC'; ${insert('samples', { id: 1 })}`,
    );
    const columns = cases.map((_, index) => `CAST(f${index} AS text) AS f${index}`);
    const [row] = await database.rows(`SELECT ${columns.join(', ')} FROM samples`);
    const expected = cases.map((each, index) => [`f${index}`, each[engine] ?? textOf(each.value)]);
    expect(row).toEqual(Object.fromEntries(expected));
    await database.close();
  });

  test('has a case for each type', () => {
    const kinds = Object.keys(fieldTypes).filter((kind) => kind !== 'id' && kind !== 'enum');
    expect(kinds.filter((kind) => cases.every(({ type }) => type !== kind))).toEqual([]);
  });

  test('can be absent where it is optional', async () => {
    const fields = cases.map(({ type, rest }, index) =>
      field(`f${index}`, type, { ...rest, optional: true }),
    );
    const database = await openSample(engine, fields);
    await database.run(insert('samples', { id: 1 }));
    expect(await database.rows('SELECT f0 FROM samples')).toEqual([{ f0: null }]);
    await database.close();
  });

  test.each([
    ['int', 2147483648],
    ['int', -2147483649],
    ['bigint', '9223372036854775808'],
    ['decimal', 1_000_000],
    ['bool', 2],
    ['date', '2026-02-30'],
    ['date', 'tomorrow-ish'],
    ['time', '24:00:01'],
    ['time', '9 o’clock'],
    ['datetime', '2026-02-30T00:00:00.000Z'],
    ['datetime', '2026-01-02T25:00:00.000Z'],
    ['uuid', 'not-a-uuid'],
    ['uuid', '01941f29-7c00-7000-8000-0000000000fg'],
    ['json', '{not json}'],
    ['string[]', '{"not":"a list"}'],
    ['int[]', 'none'],
    ['Season', 'winter'],
  ])('refuses %s %s', async (type, value) => {
    const database = await openSample(engine, [
      field('value', type, type === 'decimal' ? money : {}),
    ]);
    await expect(database.run(insert('samples', { id: 1, value }))).rejects.toThrow();
    await database.close();
  });
});

test('PostgreSQL keeps every digit of a decimal of 65', async () => {
  const value = `-${'9'.repeat(35)}.${'1'.repeat(30)}`;
  const rest = { precision: 65, scale: 30, default: at(value) };
  const database = await openSample('postgres', [field('value', 'decimal', rest)]);
  await database.run(insert('samples', { id: 1 }));
  expect(await database.rows('SELECT value::text FROM samples')).toEqual([{ value }]);
  await database.close();
});

describe('SQLite’s text of a date or time', () => {
  test.each([
    ['date', '2026-1-2'],
    ['date', '2026-01-02T00:00:00Z'],
    ['time', '09:30'],
    ['time', '09:30:00'],
    ['datetime', '2026-01-02 03:04:05.678Z'],
    ['datetime', '2026-01-02T03:04:05Z'],
    ['datetime', '2026-01-02T03:04:05.678'],
    ['datetime', '2026-01-02T03:04:05.678+01:00'],
    ['uuid', '01941F29-7C00-7000-8000-0000000000FF'],
    ['uuid', '01941f297c00700080000000000000ff'],
  ])('has one form only: %s %s is refused', async (type, value) => {
    const database = await openSample('sqlite', [field('value', type)]);
    await expect(database.run(insert('samples', { id: 1, value }))).rejects.toThrow(
      'samples_value_check',
    );
    await database.close();
  });

  test('accepts every instant as JavaScript writes it', async () => {
    const database = await openSample('sqlite', [
      field('instant', 'datetime'),
      field('day', 'date'),
      field('hour', 'time'),
    ]);
    const least = new Date('0000-01-01T00:00:00.000Z');
    const last = new Date('9999-12-31T23:59:59.999Z');
    const instants = sample(date({ min: least, max: last, noInvalidDate: true }), {
      numRuns: 3000,
      seed: 1,
    });
    for (const instant of [least, last, ...instants].map((moment) => moment.toISOString())) {
      const [day = '', hour = ''] = instant.replace('Z', '').split('T');
      await database.run(insert('samples', { instant, day, hour }));
    }
    expect(await database.rows('SELECT count(*) AS count FROM samples')).toEqual([
      { count: 3002n },
    ]);
    await database.close();
  });
});

test('PostgreSQL orders text as SQLite does, whatever its locale', async () => {
  const words = ['a', 'B', 'Z', 'é', '🌹', '_', 'ab', 'a b', '\uff5e'];
  const orders = await Promise.all(
    (['sqlite', 'postgres'] as const).map(async (engine) => {
      const database = await openSample(engine, [field('word', 'string'), field('body', 'text')]);
      for (const word of words) await database.run(insert('samples', { word, body: word }));
      const byWord = await database.rows('SELECT word FROM samples ORDER BY word');
      const byBody = await database.rows('SELECT body AS word FROM samples ORDER BY body');
      await database.close();
      expect(byBody).toEqual(byWord);
      return byWord.map(({ word }) => word);
    }),
  );
  expect(orders[0]).toEqual(orders[1]);
});

async function openSample(engine: Engine, fields: readonly FieldSchema[]): Promise<TestDatabase> {
  const database = await openDatabase(engine);
  const schema = schemaOf([model('Sample', { fields, timestamps: {} })], {
    database: at(engine),
    enums: [enumOf('Season', 'late autumn', 'spring')],
  });
  await database.migrate(tablesSql(buildApp(schema)));
  return database;
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
