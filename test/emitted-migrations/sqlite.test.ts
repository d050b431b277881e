import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStatements } from '../../runner/statements.ts';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { root } from '../support/root.ts';
import { valuesOf } from '../support/sqlite-values.ts';
import { emittedRunner } from './support/emitted-runner.ts';
import { evolved, miswritten } from './support/history.ts';
import { firstTree, lastId, lastUp, plantTree, type Tree, treeSchema } from './support/tree.ts';

const narrowed = evolved(firstTree, treeSchema('string(1..30)'));
const id = lastId(narrowed);

let tree: Tree;

beforeEach(async () => {
  tree = await plantTree();
});

afterEach(() => {
  tree.database.close();
});

describe('a table that others point to is rebuilt', () => {
  test('with every row, key, index, trigger, view and counter', async () => {
    const own = `SELECT type, name, sql FROM sqlite_schema WHERE name LIKE 'own%' ORDER BY name`;
    const [rows, objects] = [tree.rows(), tree.all(own)];
    await tree.put(narrowed);
    expect(await tree.up()).toEqual([id]);
    expect([tree.rows(), tree.all(own)]).toEqual([rows, objects]);
    expect(await tree.drift()).toContainEqual({
      kind: 'extra',
      object: 'table log',
      found: 'strict',
    });
    expect(tree.all(`INSERT INTO nodes (title) VALUES ('new') RETURNING id`)).toEqual([[5]]);
    expect(() => tree.database.exec(`INSERT INTO nodes (title) VALUES ('')`)).toThrow('CHECK');
    expect(() => tree.database.exec(`UPDATE nodes SET title = 7.5, id = 'x'`)).toThrow('datatype');
    tree.database.exec('INSERT INTO leaves (node_id) VALUES (1)');
    expect(tree.all('SELECT * FROM log')).toContainEqual(['root']);
    tree.database.exec('DELETE FROM nodes WHERE id = 2');
    expect(tree.all('SELECT id FROM nodes')).toEqual([[1], [5]]);
    expect(tree.all('SELECT id FROM leaves')).toEqual([[4]]);
  });

  test('when it has no rows, and the counter stays', async () => {
    tree.database.exec('DELETE FROM nodes');
    await tree.put(narrowed);
    await tree.up();
    expect(tree.all(`INSERT INTO nodes (title) VALUES ('new') RETURNING id`)).toEqual([[5]]);
  });

  test('and a copy from before each rebuild is kept', async () => {
    const [nodes] = tree.rows();
    const bounds = ['(1..30)', '(1..31)', '(1..32)', '(1..33)', '(1..34)', '(1..35)', '(1..36)'];
    await tree.put(
      bounds.reduce((last, it) => evolved(last, treeSchema(`string${it}`)), firstTree),
    );
    expect(await tree.up()).toHaveLength(7);
    expect(tree.said()[0]).toContain('a copy of the database is in ');
    const backups = join(tree.folder, 'backups');
    const names = readdirSync(backups);
    expect(names.map((name) => /-(\d{4}_.*)\.sqlite$/.exec(name)?.[1])).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((number) => `000${number}_change_node_title`),
    );
    const copy = new DatabaseSync(join(backups, names[0] ?? ''), { readOnly: true });
    expect(copy.prepare('SELECT * FROM nodes').all()).toEqual(nodes);
    expect(valuesOf(copy, 'pragma integrity_check')).toEqual([['ok']]);
    expect(valuesOf(copy, 'SELECT count(*) FROM schema_migrations')).toEqual([[1]]);
    copy.close();
  });
});

describe('whatever fails leaves the database as it was', () => {
  const statements = readStatements(lastUp(narrowed)).map(({ text }) => text);

  test('and leaves no half-written copy, either', async () => {
    const before = tree.everything();
    await tree.put(narrowed);
    const backups = join(tree.folder, 'backups');
    const inTheWay = `app.db-1970-01-01T00-00-00.000Z-${id}.sqlite`;
    mkdirSync(join(backups, inTheWay), { recursive: true });
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    await expect(tree.up())
      .rejects.toThrow(`as it was: no copy of it can be written to ${backups}: `)
      .finally(() => vi.useRealTimers());
    expect([readdirSync(backups), tree.everything()]).toEqual([[inTheWay], before]);
  });

  test('after each statement of up.sql, and the next run succeeds', async () => {
    const before = tree.everything();
    expect(statements.length).toBeGreaterThan(12);
    for (let count = 0; count <= statements.length; count += 1) {
      await tree.put(narrowed);
      const broken = [...statements.slice(0, count), 'SELECT no_such_column;\n'];
      await tree.edit(`${id}/up.sql`, () => broken.join('\n'));
      await expect(tree.up()).rejects.toThrow(
        `Migration ${id} failed and was undone, the database is as it was: no such column`,
      );
      expect(tree.everything()).toEqual(before);
    }
    expect(readdirSync(join(tree.folder, 'backups'))).toEqual([]);
    await tree.put(narrowed);
    expect(await tree.up()).toEqual([id]);
  });

  test.each([
    ['a row points nowhere', 'DELETE FROM nodes WHERE id = 3;', /1 of leaves that point to nodes/],
    [
      'a column is missing',
      'ALTER TABLE leaves DROP COLUMN text;',
      /column leaves.text is missing/,
    ],
    ['an index is missing', 'DROP INDEX nodes_title_index;', /index nodes_title_index is missing/],
    [
      'a view has lost the column that it shows',
      'DROP VIEW own_roots; CREATE VIEW own_roots AS SELECT x FROM nodes;',
      /view own_roots/,
    ],
  ])('when %s after somebody has edited it', async (_, sql, message) => {
    const before = tree.everything();
    await tree.put(narrowed);
    await tree.edit(`${id}/up.sql`, (text) => `${text}\n${sql}\n`);
    await expect(tree.up()).rejects.toThrow(message);
    expect(tree.everything()).toEqual(before);
  });

  test('when something that the owner has made needs what is dropped', async () => {
    const dropped = evolved(
      firstTree,
      treeSchema('int?').replace('title:', 'rank:').replace('[[title]]', '[[rank]]'),
    );
    const before = tree.everything();
    await tree.put(dropped);
    await expect(tree.up()).rejects.toThrow(/no such column: title\..*CREATE INDEX own_partial/);
    expect(tree.everything()).toEqual(before);
    tree.database.exec('DROP INDEX own_partial');
    await expect(tree.up()).rejects.toThrow(
      /takes away: trigger own_touch, view own_roots, trigger own_log\. Drop/,
    );
    tree.database.exec('DROP VIEW own_roots; DROP TRIGGER own_touch; DROP TRIGGER own_log');
    expect(await tree.up()).toEqual([lastId(dropped)]);
  });

  test('when SQL that the generator wrote loses rows', async () => {
    const before = tree.everything();
    await tree.put(
      miswritten(narrowed, (up) => up.replace('FROM nodes;', 'FROM nodes WHERE id < 3;')),
    );
    await expect(tree.up()).rejects.toThrow('nodes had 3 rows, nodes would have 2');
    expect(tree.everything()).toEqual(before);
  });
});

test('a file that is not a database, and a path that cannot be one, are reported as unavailable', async () => {
  const { migrate } = await emittedRunner('sqlite');
  const { violation } = await import(
    join(root, 'fixtures/apps/minimal/sqlite/src/database/errors.ts')
  );
  const file = join(tree.folder, 'notes.txt');
  writeFileSync(file, 'A text that is longer than the head of a database. '.repeat(20));
  for (const place of [file, join(file, 'folder/app.db')]) {
    const folder = join(tree.folder, 'migrations');
    const error = await migrate(`file:${place}`, { folder }).catch((cause: unknown) => cause);
    expect(violation(error), place).toEqual({ kind: 'unavailable' });
  }
});
