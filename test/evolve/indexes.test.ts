import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { buildApp } from '../../src/model/build.ts';
import { gardenSchema } from '../model/garden.ts';
import { insert, openDatabase, stamps, type TestDatabase } from './database.ts';

describe.each(['sqlite', 'postgres'] as const)('the indexes on %s', (engine) => {
  let garden: TestDatabase;

  beforeAll(async () => {
    garden = await openDatabase(engine);
    await garden.migrate(tablesSql(buildApp(gardenSchema(engine))));
  });
  afterAll(() => garden.close());

  test.each([
    ['planted_at IS NOT NULL', 'planted_at DESC, id DESC'],
    ['planted_at IS NOT NULL', 'planted_at, id'],
    [`season = 'spring'`, 'name DESC, id DESC'],
    [`season = 'spring'`, 'name, id'],
    ['keeper_id = 1', 'id'],
    ['keeper_id = 1', 'id DESC'],
  ])('give the rows where %s in the order %s', async (where, order) => {
    const query = `SELECT id FROM beds WHERE ${where} ORDER BY ${order} LIMIT 50`;
    expect(await planOf(query)).not.toMatch(/sort|temp b-tree/i);
  });

  test('leave another order to a sort', async () => {
    const query = 'SELECT id FROM beds ORDER BY updated_at, id LIMIT 50';
    expect(await planOf(query)).toMatch(/sort|temp b-tree/i);
  });

  test('hold the longest text that the field allows', async () => {
    const ann = { id: 1, name: 'Ann', email: 'ann@example.test', password: 'x', ...stamps };
    await garden.run(insert('members', ann));
    await garden.run(insert('beds', { id: 1, name: 'Roses', keeper_id: 1, ...stamps }));
    const plant = { id: '00000000-0000-7000-8000-000000000001', bed_id: 1 };
    const latin = Array.from({ length: 640 }, () =>
      String.fromCodePoint(randomInt(0x20000, 0x2a000)),
    );
    await garden.run(insert('plants', { ...plant, latin_name: latin.join('') }));
    expect(await garden.rows('SELECT id FROM plants')).toHaveLength(1);
  });

  /** PostgreSQL would not use an index for tables this small, so it is made to. */
  async function planOf(query: string): Promise<string> {
    if (engine === 'postgres') {
      await garden.run('SET enable_seqscan = off; SET enable_bitmapscan = off');
    }
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    return JSON.stringify(await garden.rows(`${explain} ${query}`), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  }
});
