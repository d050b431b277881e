import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { freshDatabase } from '../support/postgres.ts';
import { insert, openDatabase, stamps, type TestDatabase } from './database.ts';
import { appOf } from './support/app-of.ts';

const schema = `models:
  Shelf: { timestamps: false, fields: { name: string unique } }
  Book:
    timestamps: false
    soft_delete: removed_at
    fields: { title: string }
    relations: { shelf: { to: Shelf, on_delete: cascade } }`;

/** What triggers have counted, beside what is there: both from one snapshot. */
const totals = `
  SELECT (SELECT coalesce(sum(total), 0) FROM row_counts WHERE name = 'shelves') AS shelves,
    (SELECT count(*) FROM shelves) AS shelves_there,
    (SELECT coalesce(sum(total), 0) FROM row_counts WHERE name = 'books') AS books,
    (SELECT count(*) FROM books) AS books_there,
    (SELECT coalesce(sum(deleted), 0) FROM row_counts WHERE name = 'books') AS deleted,
    (SELECT count(removed_at) FROM books) AS deleted_there`;

type Numbers = Readonly<Record<string, unknown>> | undefined;

/** Numbers of shelves, books and deleted books. */
function agreed(row: Numbers): readonly number[] {
  const numbers = (names: readonly string[]) => names.map((name) => Number(row?.[name]));
  const found = numbers(['shelves', 'books', 'deleted']);
  expect(found).toEqual(numbers(['shelves_there', 'books_there', 'deleted_there']));
  return found;
}

const now = `'${stamps.created_at}'`;

const found = async (database: TestDatabase) => agreed((await database.rows(totals))[0]);

describe.each(['sqlite', 'postgres'] as const)('totals on %s match the rows after', (engine) => {
  const app = appOf(schema, engine);
  const open = async () => {
    const database = await openDatabase(engine);
    await database.migrate(tablesSql(app));
    await database.run(insert('shelves', { id: 1, name: 'a' }));
    await database.run(insert('shelves', { id: 2, name: 'b' }));
    for (const id of [1, 2, 3, 4]) {
      await database.run(insert('books', { id, title: 'x', shelf_id: id % 2 === 0 ? 2 : 1 }));
    }
    return database;
  };

  test.each([
    ['rows are inserted', 'SELECT 1', [2, 4, 0]],
    [
      'many are inserted at once',
      `INSERT INTO shelves (id, name) SELECT id + 2, name || '1' FROM shelves`,
      [4, 4, 0],
    ],
    [
      'a deleted row is inserted',
      `INSERT INTO books (id, title, shelf_id, removed_at) VALUES (9, 'y', 1, ${now})`,
      [2, 5, 1],
    ],
    [
      'one is inserted that is there already',
      `INSERT INTO shelves (id, name) VALUES (1, 'c') ON CONFLICT (id) DO UPDATE SET name = 'c'`,
      [2, 4, 0],
    ],
    ['a row is removed', 'DELETE FROM books WHERE id = 1', [2, 3, 0]],
    ['a statement finds none', 'DELETE FROM books WHERE id = 99', [2, 4, 0]],
    ['rows are removed with another', 'DELETE FROM shelves WHERE id = 1', [1, 2, 0]],
    ['all are removed', 'DELETE FROM books', [2, 0, 0]],
    ['rows are marked as deleted', `UPDATE books SET removed_at = ${now} WHERE id < 4`, [2, 4, 3]],
    [
      'one comes back',
      `UPDATE books SET removed_at = ${now}; UPDATE books SET removed_at = NULL WHERE id = 2`,
      [2, 4, 3],
    ],
    [
      'deleted ones are removed',
      `UPDATE books SET removed_at = ${now} WHERE id < 3; DELETE FROM books WHERE id < 4`,
      [2, 1, 0],
    ],
    [
      'some are deleted and some come back in one statement',
      `UPDATE books SET removed_at = ${now} WHERE id < 3;
      UPDATE books SET removed_at = CASE WHEN id > 1 AND id < 4 THEN (SELECT max(removed_at) FROM books) END`,
      [2, 4, 2],
    ],
    ['another field changes', `UPDATE books SET title = 'z'`, [2, 4, 0]],
    [
      'rows are deleted, and that is undone in part',
      `BEGIN; UPDATE books SET removed_at = ${now} WHERE id = 1; SAVEPOINT s;
      UPDATE books SET removed_at = ${now}; ROLLBACK TO s; UPDATE books SET removed_at = ${now} WHERE id < 3; COMMIT`,
      [2, 4, 2],
    ],
    ['a transaction is undone', 'BEGIN; DELETE FROM shelves; ROLLBACK', [2, 4, 0]],
    [
      'a transaction is undone in part',
      `BEGIN; INSERT INTO shelves (id, name) VALUES (3, 'c'); SAVEPOINT s; DELETE FROM books; ROLLBACK TO s; COMMIT`,
      [3, 4, 0],
    ],
  ])('%s', async (_, sql, expected) => {
    const database = await open();
    await database.run(sql);
    expect(await found(database)).toEqual(expected);
    await database.close();
  });

  test('a total is overwritten and corrected', async () => {
    const database = await open();
    await database.run(`UPDATE row_counts SET total = 7, deleted = 3 WHERE name = 'books'`);
    await database.run(
      engine === 'postgres'
        ? `INSERT INTO row_counts (name) VALUES ('books')`
        : `INSERT OR REPLACE INTO row_counts SELECT 'books', '', count(*), count(removed_at) FROM books`,
    );
    expect(await found(database)).toEqual([2, 4, 0]);
    await database.close();
  });
});

const connect = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
};

describe('totals on PostgreSQL', () => {
  const sql = tablesSql(appOf(schema, 'postgres'));

  test('follow a truncate, and rows that are copied in', async () => {
    const client = await connect(await freshDatabase());
    await client.query(sql);
    await client.query(
      `INSERT INTO shelves (name) SELECT 'n' || n FROM generate_series(1, 500) AS n`,
    );
    await client.query('CREATE TEMP TABLE copies AS SELECT name FROM shelves');
    await client.query('TRUNCATE shelves CASCADE');
    expect(agreed((await client.query(totals)).rows[0])).toEqual([0, 0, 0]);
    await client.query(`COPY shelves (name) FROM PROGRAM 'seq 1 300'`);
    expect(agreed((await client.query(totals)).rows[0])).toEqual([300, 0, 0]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await expect(client.query('TRUNCATE shelves CASCADE')).rejects.toThrow('read committed');
    await client.query('ROLLBACK');
    await client.end();
  });

  test('let anyone write who may write to a table, whatever their search path is', async () => {
    const client = await connect(await freshDatabase());
    await client.query(`${sql}; CREATE ROLE guest_${process.pid}; GRANT INSERT ON shelves TO guest_${process.pid};
      SET search_path = ''; SET ROLE guest_${process.pid};`);
    await client.query(`INSERT INTO public.shelves (id, name) VALUES (1, 'a')`);
    await client.query(
      `RESET ROLE; RESET search_path; REVOKE ALL ON shelves FROM guest_${process.pid}; DROP ROLE guest_${process.pid}`,
    );
    expect(agreed((await client.query(totals)).rows[0])).toEqual([1, 0, 0]);
    await client.end();
  });

  test('follow an update whose trigger deletes rows that the statement did not mention', async () => {
    const client = await connect(await freshDatabase());
    await client.query(sql);
    await client.query(`CREATE FUNCTION remove() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN new.removed_at := now(); RETURN new; END';
      CREATE TRIGGER remove BEFORE UPDATE ON books FOR EACH ROW WHEN (new.title = 'gone') EXECUTE FUNCTION remove();
      INSERT INTO shelves (id, name) VALUES (1, 'a');
      INSERT INTO books (title, shelf_id) SELECT 'b', 1 FROM generate_series(1, 500);
      UPDATE books SET title = 'gone' WHERE id % 2 = 0`);
    expect(agreed((await client.query(totals)).rows[0])).toEqual([1, 500, 250]);
    await client.end();
  });

  test('become few rows even after a long transaction, and are right in an old snapshot', async () => {
    const client = await connect(await freshDatabase());
    await client.query(sql);
    await client.query('BEGIN; SELECT pg_sleep(0.06)');
    for (let id = 1; id <= 40; id += 1) {
      await client.query(`INSERT INTO shelves (id, name) VALUES (${id}, '${id}')`);
    }
    await client.query('COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM shelves');
    await client.query(`INSERT INTO shelves (id, name) VALUES (0, '0')`);
    await client.query('COMMIT');
    const countRows = async () =>
      Number((await client.query('SELECT count(*) AS rows FROM row_counts')).rows[0]?.rows);
    expect(await countRows()).toBe(41);
    expect(agreed((await client.query(totals)).rows[0])).toEqual([41, 0, 0]);
    for (let id = 100; (await countRows()) > 1 && id < 5000; id += 1) {
      await client.query(`INSERT INTO shelves (id, name) VALUES (${id}, '${id}')`);
    }
    expect(await countRows()).toBe(1);
    agreed((await client.query(totals)).rows[0]);
    await client.end();
  });

  test('are right when rows and totals are restored into tables that already count', async () => {
    const client = await connect(await freshDatabase());
    await client.query(sql);
    await client.query(`INSERT INTO shelves (id, name) VALUES (1, 'a'), (2, 'b')`);
    await client.query(`CREATE TEMP TABLE kept AS SELECT * FROM row_counts`);
    await client.query('CREATE TEMP TABLE rows AS SELECT * FROM shelves; TRUNCATE shelves CASCADE');
    // As pg_restore --data-only does, in either order.
    await client.query('INSERT INTO row_counts SELECT * FROM kept');
    await client.query('INSERT INTO shelves SELECT * FROM rows');
    expect(agreed((await client.query(totals)).rows[0])).toEqual([2, 0, 0]);
    await client.query('TRUNCATE shelves CASCADE');
    await client.query('INSERT INTO shelves SELECT * FROM rows');
    await client.query('INSERT INTO row_counts SELECT * FROM kept');
    expect(agreed((await client.query(totals)).rows[0])).toEqual([2, 0, 0]);
    await client.end();
  });

  test('are exact in every snapshot, while writers go on, roll back and are killed', async () => {
    const url = await freshDatabase();
    const [reader, ...writers] = await Promise.all(Array.from({ length: 5 }, () => connect(url)));
    const merging = sql.replace('random() < 0.99', 'random() < 0.7');
    expect(merging).not.toBe(sql);
    await reader?.query(`${merging}; INSERT INTO shelves (id, name) VALUES (0, '0')`);
    const written = Promise.all([
      ...writers.map(writeSome),
      ...[4, 5].map((at) => endSome(url, at)),
    ]);
    const books: number[] = [];
    do {
      await reader?.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      books.push(agreed((await reader?.query(totals))?.rows[0])[1] ?? 0);
      await reader?.query('COMMIT');
    } while ((await Promise.race([written, 'not yet'])) === 'not yet');
    const rows = await reader?.query(`SELECT count(*) AS rows FROM row_counts`);
    expect(Number(rows?.rows[0]?.rows)).toBeLessThan(50);
    expect(agreed((await reader?.query(totals))?.rows[0])).toEqual([1, 4 * 150, 4 * 50]);
    expect(new Set(books).size).toBeGreaterThan(10);
    await Promise.all([reader, ...writers].map((client) => client?.end()));
  });
});

const some = (step: number, at: number) => [0, 1, 2].map((more) => (step * 8 + at) * 3 + more);

const make = (ids: readonly number[]) =>
  `INSERT INTO books (id, title, shelf_id) VALUES ${ids.map((id) => `(${id}, 'b', 0)`).join(', ')}`;

/** Marks a third as deleted, removes a third, each in a transaction of some statements; and as much that is undone. */
async function writeSome(client: Client, at: number): Promise<void> {
  for (let step = 0; step < 75; step += 1) {
    const ids = some(step, at);
    const [first, second] = ids;
    await client.query(`BEGIN; ${make(ids)}; DELETE FROM books WHERE id = ${first}; ROLLBACK`);
    await client.query(`BEGIN; ${make(ids)}`);
    await client.query(`DELETE FROM books WHERE id = ${first}`);
    if (step % 3 < 2)
      await client.query(`UPDATE books SET removed_at = now() WHERE id = ${second}`);
    await client.query('COMMIT');
  }
}

/** Connections that are ended before they commit: nothing of what they wrote stays. */
async function endSome(url: string, at: number): Promise<void> {
  for (let step = 0; step < 15; step += 1) {
    const client = await connect(url);
    client.on('error', () => {});
    await client.query(`BEGIN; ${make(some(step, at))}`);
    const ended = client.query('SELECT pg_terminate_backend(pg_backend_pid())');
    await expect(ended).rejects.toThrow('terminating connection');
    await client.end().catch(() => {});
  }
}
