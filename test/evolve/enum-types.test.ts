import { describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { carryIds } from '../../src/model/carry.ts';
import { appOf } from './support/app-of.ts';
import { openStore } from './support/open-store.ts';

const type = 'storage: { enums: type }\n';
const fields = 'mood: Mood = good, old: Mood?, size: int = 0';
const told =
  'unique: [{ fields: [size], where: mood = good }], indexes: [[mood, size], { fields: [size], where: old = bad }]';

const notes = (values: string, all = fields, rest = told) =>
  `enums: { Mood: [${values}] }\nmodels: { Note: { timestamps: false, fields: { ${all} }, ${rest} } }`;
const before = type + notes('good, bad');

/** From one schema to the next, with two rows; and back, where there is a way. */
async function evolved(from: string, to: string) {
  const was = appOf(from, 'postgres');
  const is = carryIds(was, appOf(to, 'postgres'), []);
  const options = { sequence: 2, parent: '0001_initial', schemaText: to };
  const { migration, hazards } = makeMigration(was, is, options) ?? {};
  if (migration === undefined) throw new Error('nothing to migrate');
  const [store, fresh] = [await openStore('postgres'), await openStore('postgres')];
  await store.run(tablesSql(was));
  await fresh.run(tablesSql(is));
  await store.run(
    `INSERT INTO notes (mood, old, size) VALUES ('good', 'bad', 1), ('bad', NULL, 2)`,
  );
  const rows = () => store.values('SELECT mood, old FROM notes ORDER BY id');
  const file = async () =>
    (await store.values(`SELECT relfilenode FROM pg_class WHERE oid = 'notes'::regclass`)).join();
  const [start, first] = [await store.introspect(), await file()];
  await store.apply(migration);
  expect(await store.introspect()).toEqual(await fresh.introspect());
  const isRewritten = (await file()) !== first;
  expect(hazards?.some(({ code }) => code === 'SCF431')).toBe(isRewritten);
  const now = await rows();
  const isReversible = migration.files['down.sql'] !== undefined;
  if (isReversible) {
    await store.apply(migration, 'down.sql');
    expect(await store.introspect()).toEqual(start);
  }
  await store.close();
  await fresh.close();
  return { now, isRewritten, sql: migration.files['up.sql'] };
}

const same = [
  ['good', 'bad'],
  ['bad', null],
];

describe('an enum that is a type', () => {
  test.each([
    ['was a text', notes('good, bad'), before],
    [
      'was a text with a maximum length',
      type + notes('good, bad', fields.replace('Mood', 'string(..9)')),
      before,
    ],
    ['becomes a text', before, notes('good, bad')],
  ])('%s: its tables are rewritten', async (_, from, to) => {
    expect(await evolved(from, to)).toMatchObject({ now: same, isRewritten: true });
  });

  test.each([
    ['another name', `storage: { enums: { Mood: mood_of_note } }\n${notes('good, bad')}`],
    [
      'values, one of which becomes the default in the same step',
      type + notes('new, good, mid, bad, last', fields.replace('good', 'new')),
    ],
  ])('gets %s without a rewrite', async (_, to) => {
    expect(await evolved(before, to)).toMatchObject({ now: same, isRewritten: false });
  });

  test('has its values renamed without a rewrite, and no index is built for them', async () => {
    const to =
      type + notes('good, { value: sad, was: bad }', fields, told.replace('= bad', '= sad'));
    const { now, isRewritten, sql } = await evolved(before, to);
    expect(now).toEqual([
      ['good', 'sad'],
      ['sad', null],
    ]);
    expect({ isRewritten, isBuilt: sql.includes('INDEX') }).toEqual({
      isRewritten: false,
      isBuilt: false,
    });
  });

  test('builds indexes again when values exchange names, as they cover other rows then', async () => {
    const to =
      type +
      notes('{ value: bad, was: good }, { value: good, was: bad }', fields.replace('good', 'bad'));
    const { now, sql } = await evolved(before, to);
    expect(now).toEqual([
      ['bad', 'good'],
      ['good', null],
    ]);
    expect(sql).toContain('CREATE UNIQUE INDEX CONCURRENTLY notes_size_unique');
  });

  test('keeps its default when values exchange names', async () => {
    const { sql } = await evolved(
      before,
      type + notes('{ value: bad, was: good }, { value: good, was: bad }'),
    );
    expect(sql).toContain("SET DEFAULT 'good'");
  });

  test('is created again to lose a value', async () => {
    const filled =
      'mood: { type: Mood, default: good, backfill: good }, old: { type: "Mood?", backfill: good }, size: int = 0';
    const { now, isRewritten } = await evolved(
      type + notes('good, bad', fields, ''),
      type + notes('good', filled, ''),
    );
    expect(now).toEqual([
      ['good', 'good'],
      ['good', null],
    ]);
    expect(isRewritten).toBe(true);
  });

  test('sorts in the order of its values, wherever a new one is added', async () => {
    const store = await openStore('postgres');
    const was = appOf(before, 'postgres');
    const to = type + notes('new, good, bad');
    const is = carryIds(was, appOf(to, 'postgres'), []);
    await store.run(tablesSql(was));
    const { migration } =
      makeMigration(was, is, { sequence: 2, parent: '0001_initial', schemaText: to }) ?? {};
    if (migration !== undefined) await store.apply(migration);
    await store.run(`INSERT INTO notes (mood, size) VALUES ('bad', 1), ('new', 2), ('good', 3)`);
    expect(await store.values('SELECT mood FROM notes ORDER BY mood')).toEqual([
      ['new'],
      ['good'],
      ['bad'],
    ]);
    await store.close();
  });
});

test('rows that would become duplicates when a value is renamed are counted first', async () => {
  const was = appOf(before, 'postgres');
  const to =
    type +
    notes('{ value: bad, was: good }, { value: good, was: bad }', fields.replace('good', 'bad'));
  const is = carryIds(was, appOf(to, 'postgres'), []);
  const { hazards = [] } =
    makeMigration(was, is, { sequence: 2, parent: '0001_initial', schemaText: to }) ?? {};
  const store = await openStore('postgres');
  await store.run(tablesSql(was));
  await store.run(`INSERT INTO notes (mood, size) VALUES ('bad', 1), ('bad', 1), ('good', 2)`);
  const count = hazards.find(({ code }) => code === 'SCF423')?.count ?? '';
  expect(await store.values(count)).toEqual([['2']]);
  await store.close();
});
