import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evolved, historyOf } from './support/history.ts';
import { openAny } from './support/open-any.ts';

const item = (fields: string, rest = '', enums = '[low, high]') => `auth: none
enums: { Price: ${enums} }
models:
  Item: { timestamps: false, fields: { ${fields} }, ${rest} }
`;
const first = item('title: "string(..20)", k: Price, qty: int');
const insert = `INSERT INTO items (title, k, qty) VALUES ('a', 'low', 1), ('b', 'high', 2)`;

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test.each([
    [
      'a field',
      item('title: "string(..20)", k: Price, qty: int, note: text?'),
      `UPDATE items SET note = 'x' WHERE qty = 1`,
      'SCF412 Item.note, 1 row',
      'UPDATE items SET note = NULL',
    ],
    [
      'a field with a value',
      item('title: "string(..20)", k: Price, qty: int, size: { type: int, backfill: 7 }'),
      'UPDATE items SET size = 8 WHERE qty = 1',
      'SCF412 Item.size, 1 row',
      'UPDATE items SET size = 7',
    ],
    [
      'a model',
      `${first}  Box: { timestamps: false, fields: { name: string } }\n`,
      `INSERT INTO boxes (name) VALUES ('x')`,
      'SCF411 Box, 1 row',
      'DELETE FROM boxes',
    ],
    [
      'a value of an enum',
      item('title: "string(..20)", k: Price, qty: int', '', '[low, high, top]'),
      `UPDATE items SET k = 'top' WHERE qty = 1`,
      'SCF415 Price.top, 1 row',
      `UPDATE items SET k = 'low' WHERE qty = 1`,
    ],
    [
      'more room',
      item('title: "string(..30)", k: Price, qty: int'),
      `UPDATE items SET title = '12345678901234567890x' WHERE qty = 1`,
      'SCF424 Item.title, 1 row',
      `UPDATE items SET title = 'a' WHERE qty = 1`,
    ],
    [
      'a wider number',
      item('title: "string(..20)", k: Price, qty: bigint'),
      `UPDATE items SET qty = 3000000000 WHERE qty = 1`,
      'SCF424 Item.qty, 1 row',
      `UPDATE items SET qty = 1 WHERE title = 'a'`,
    ],
    [
      'a field that became optional',
      item('title: "string(..20)", k: Price, qty: int?'),
      `UPDATE items SET qty = NULL WHERE qty = 1`,
      'SCF422 Item.qty, 1 row',
      `UPDATE items SET qty = 1 WHERE title = 'a'`,
    ],
    [
      'a field with a value in a model that was renamed with it',
      item('title: "string(..20)", k: Price, qty: int, size: int = 7').replace(
        'Item: {',
        'Thing: { was: Item, table: items,',
      ),
      'UPDATE items SET size = 8 WHERE qty = 1',
      'SCF412 Item.size, 1 row',
      'UPDATE items SET size = 7',
    ],
    [
      'a field with a default that no float can hold exactly',
      item('title: "string(..20)", k: Price, qty: int, size: float = 9223372036854775000'),
      `UPDATE items SET size = 1.5 WHERE qty = 1`,
      'SCF412 Item.size, 1 row',
      `UPDATE items SET size = 9223372036854775000.0 WHERE qty = 1`,
    ],
    [
      'a default',
      item('title: "string(..20)", k: Price, qty: int = 3'),
      undefined,
      undefined,
      undefined,
    ],
    [
      'a unique field',
      item('title: "string(..20)", k: Price, qty: { type: int, unique: true }'),
      undefined,
      undefined,
      undefined,
    ],
    [
      'an index',
      item('title: "string(..20)", k: Price, qty: { type: int, index: true }'),
      undefined,
      undefined,
      undefined,
    ],
  ])(
    '%s can be taken back, unless that would lose something written since',
    async (_, next, written, loss, fixed) => {
      const start = historyOf(engine, [first]);
      const history = evolved(start, next);
      const project = await openAny(engine, start);
      await project.run(insert);
      await project.put(history);
      await project.up();
      const before = await project.rows('SELECT * FROM items ORDER BY id');
      if (written !== undefined) {
        await project.run(written);
        const now = await project.rows('SELECT * FROM items ORDER BY id');
        await expect(project.down()).rejects.toThrow(
          `cannot be rolled back because of rows in the database; nothing was changed:\n  ${loss}`,
        );
        expect(await project.rows('SELECT * FROM items ORDER BY id')).toEqual(now);
        await project.run(fixed ?? '');
      }
      await project.down();
      expect(await project.rows('SELECT title, k, qty FROM items ORDER BY id')).toEqual([
        ['a', 'low', 1],
        ['b', 'high', 2],
      ]);
      await project.put(start);
      expect(await project.up()).toEqual([]);
      await project.put(history);
      await project.up();
      if (written === undefined)
        expect(await project.rows('SELECT * FROM items ORDER BY id')).toEqual(before);
    },
  );

  test('rows that had no value keep the one that they were given', async () => {
    const optional = item('title: "string(..20)", k: Price, qty: int?');
    const start = historyOf(engine, [optional]);
    const project = await openAny(engine, start);
    await project.run(
      `INSERT INTO items (title, k, qty) VALUES ('a', 'low', 1), ('b', 'high', NULL)`,
    );
    const required = evolved(
      start,
      item('title: "string(..20)", k: Price, qty: { type: int, backfill: 7 }'),
    );
    await project.put(required);
    await project.up();
    await project.down();
    await project.run(`INSERT INTO items (title, k) VALUES ('c', 'low')`);
    expect(await project.rows('SELECT title, qty FROM items ORDER BY id')).toEqual([
      ['a', 1],
      ['b', 7],
      ['c', null],
    ]);
  });

  test.each([
    ['uuids of their own', 'code: uuid = uuid', 'code'],
    ['the time', 'at: datetime = now', 'at'],
  ])(
    '%s, which may be in use by now, stop the way back until somebody edits down.sql',
    async (_, field, name) => {
      const start = historyOf(engine, [first]);
      const history = evolved(start, item(`title: "string(..20)", k: Price, qty: int, ${field}`));
      const project = await openAny(engine, start);
      await project.run(insert);
      await project.put(history);
      await project.up();
      await expect(project.down()).rejects.toThrow(`SCF412 Item.${name}, 2 rows`);
      const down = join(project.folder, history.migrations.at(-1)?.id ?? '', 'down.sql');
      await writeFile(down, `-- They may go.\n${await readFile(down, 'utf8')}`);
      await project.down();
      expect(await project.rows('SELECT * FROM items ORDER BY id')).toEqual([
        [expect.anything(), 'a', 'low', 1],
        [expect.anything(), 'b', 'high', 2],
      ]);
    },
  );

  test.each([
    [
      'goes on',
      'a field was added',
      item('title: "string(..20)", k: Price, qty: int, note: text?'),
    ],
    [
      'goes on',
      'a required field with a default was added',
      item('title: "string(..20)", k: Price, qty: int, size: int = 7'),
    ],
    [
      'goes on',
      'a model and an index were added',
      `${item('title: "string(..20)", k: Price, qty: { type: int, index: true }')}  Box: { fields: { name: string } }\n`,
    ],
    [
      'stops',
      'a required field was added',
      item('title: "string(..20)", k: Price, qty: int, size: { type: int, backfill: 7 }'),
    ],
    [
      'stops',
      'a field was renamed',
      item('title: "string(..20)", k: Price, size: { type: int, was: qty }'),
    ],
    ['stops', 'a field is gone', item('title: "string(..20)", k: Price')],
    ['stops', 'a field may be empty', item('title: "string(..20)", k: Price, qty: int?')],
    [
      'stops',
      'a value of an enum is new',
      item('title: "string(..20)", k: Price, qty: int', '', '[low, high, top]'),
    ],
  ])('the release before %s after %s', async (outcome, _, next) => {
    const start = historyOf(engine, [first]);
    const project = await openAny(engine, start);
    await project.run(insert);
    await project.put(evolved(start, next));
    await project.up();
    await project.put(start);
    if (outcome === 'stops') {
      await expect(project.up()).rejects.toThrow('has migrations that this code does not have');
      return;
    }
    expect(await project.up()).toEqual([]);
    await project.run(`INSERT INTO items (title, k, qty) VALUES ('c', 'low', 3)`);
    await expect(project.down()).rejects.toThrow(
      'was applied by newer code: take it back with that',
    );
    // It applies no migration of its own on top of those that it does not know.
    await project.put(
      evolved(start, item('title: "string(..20)", k: Price, qty: int, mine: int?')),
    );
    await expect(project.up()).rejects.toThrow('has migrations that this code does not have');
  });

  test('a database of an earlier version learns to record which migrations only add', async () => {
    const start = historyOf(engine, [first]);
    const project = await openAny(engine, start);
    await project.run('ALTER TABLE schema_migrations DROP COLUMN additive');
    await project.put(
      evolved(start, item('title: "string(..20)", k: Price, qty: int, note: text?')),
    );
    await project.up();
    expect(await project.rows('SELECT additive FROM schema_migrations ORDER BY id')).toEqual([
      [null],
      [1],
    ]);
  });
});
