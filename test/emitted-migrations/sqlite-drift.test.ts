import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseFile } from '../../fixtures/apps/blog/sqlite/src/database/file.ts';
import { evolved } from './support/history.ts';
import { firstTree, lastId, plantTree, type Tree, treeSchema } from './support/tree.ts';

let tree: Tree;

beforeEach(async () => {
  tree = await plantTree();
});

afterEach(() => {
  tree.database.close();
});

/** What the owner of the planted tree has added. */
const owned = [
  'index own_partial',
  'table log',
  'trigger leaves.own_touch',
  'trigger nodes.own_log',
];

describe('how a database differs from migrations/schema.sql', () => {
  test('what its owner has added is reported as extra', async () => {
    const drift = await tree.drift();
    expect(drift.map(({ kind, object }) => [kind, object])).toEqual(
      owned.map((object) => ['extra', object]),
    );
  });

  test.each([
    {
      what: 'a column made by hand',
      sql: 'ALTER TABLE leaves ADD COLUMN colour text DEFAULT 7',
      drift: { kind: 'extra', object: 'column leaves.colour', found: 'text default 7' },
    },
    {
      what: 'a column that is gone',
      sql: 'ALTER TABLE leaves DROP COLUMN text',
      drift: { kind: 'missing', object: 'column leaves.text', expected: 'text' },
    },
    {
      what: 'another type',
      sql: rewritten(`'text text'`, `'text blob'`, 'leaves'),
      drift: {
        kind: 'different',
        object: 'column leaves.text',
        expected: 'text',
        found: 'blob',
      },
    },
    {
      what: 'a column that may be null',
      sql: rewritten(`'title text NOT NULL'`, `'title text'`, 'nodes'),
      drift: {
        kind: 'different',
        object: 'column nodes.title',
        expected: 'text not null',
        found: 'text',
      },
    },
    {
      what: 'another bound',
      sql: rewritten(`'<= 20'`, `'<= 21'`, 'nodes'),
      drift: { kind: 'missing', object: 'check nodes: length (title) <= 20' },
    },
    {
      what: 'a key that deletes differently',
      sql: rewritten(`' ON DELETE SET NULL'`, `''`, 'leaves'),
      drift: {
        kind: 'different',
        object: 'foreign key leaves.other_id',
        expected: 'nodes (id) on delete set null',
        found: 'nodes (id) on delete no action',
      },
    },
    {
      what: 'an index that is gone',
      sql: 'DROP INDEX nodes_title_index',
      drift: {
        kind: 'missing',
        object: 'index nodes_title_index',
        expected: 'on nodes (title, id)',
      },
    },
    {
      what: 'an index of other columns',
      sql: 'DROP INDEX nodes_title_index; CREATE INDEX nodes_title_index ON nodes (id)',
      drift: {
        kind: 'different',
        object: 'index nodes_title_index',
        expected: 'on nodes (title, id)',
        found: 'on nodes (id)',
      },
    },
    {
      what: 'a table that is not strict',
      sql: rewritten(`'STRICT'`, `''`, 'nodes'),
      drift: {
        kind: 'different',
        object: 'table nodes',
        expected: 'autoincrement strict',
        found: 'autoincrement',
      },
    },
  ])('$what', async ({ sql, drift }) => {
    // Only a connection that is not defensive may write to sqlite_schema.
    const connection = new DatabaseSync(databaseFile(tree.url), { defensive: false });
    connection.exec(sql);
    connection.close();
    expect(await tree.drift()).toContainEqual(drift);
  });

  test('a total that does not match its rows is reported with the SQL that corrects it', async () => {
    tree.database.exec(`INSERT OR REPLACE INTO leaves (id, text, node_id) VALUES (1, 'again', 3)`);
    const totals = (await tree.drift()).filter(({ object }) => object.startsWith('total'));
    expect(totals).toMatchObject([{ kind: 'different', object: 'total of leaves' }]);
    const [, remedy = ''] = /^not that of its rows: (.*)$/.exec(totals[0]?.found ?? '') ?? [];
    tree.database.exec(remedy);
    expect(await tree.drift()).toHaveLength(owned.length);
  });

  test('a different spelling is not a difference', async () => {
    tree.database.exec(
      'DROP INDEX nodes_title_index; create index  "nodes_title_index"\n on [nodes] ( "title",ID ) -- mine',
    );
    expect(await tree.drift()).toHaveLength(owned.length);
  });
});

describe('a migration on a database that differs', () => {
  const wider = evolved(firstTree, treeSchema('string(..30)'));

  test('is undone when the result would still differ', async () => {
    tree.database.exec('ALTER TABLE leaves DROP COLUMN text');
    const before = tree.everything();
    await tree.put(wider);
    await expect(tree.up()).rejects.toThrow(
      /schema\.sql says:\n {2}The column leaves\.text is missing/,
    );
    expect(tree.everything()).toEqual(before);
  });

  test('names the column that it would lose, and keeps it once it is written into the SQL', async () => {
    tree.database.exec(`ALTER TABLE nodes ADD COLUMN colour text; UPDATE nodes SET colour = 'red'`);
    const before = tree.everything();
    await tree.put(wider);
    await expect(tree.up()).rejects.toThrow('would be lost: the column colour of nodes. ');
    expect(tree.everything()).toEqual(before);
    await tree.edit(`${lastId(wider)}/up.sql`, (sql) =>
      sql
        .replace('CREATE TABLE nodes__rebuilt (', '$& colour text,')
        .replace('INSERT INTO nodes__rebuilt (', '$&colour, ')
        .replace('SELECT id', 'SELECT colour, id'),
    );
    expect(await tree.up()).toEqual([lastId(wider)]);
    expect(tree.all('SELECT DISTINCT colour FROM nodes')).toEqual([['red']]);
  });

  test('is applied when it creates what was missing', async () => {
    tree.database.exec('DROP INDEX nodes_title_index');
    await tree.put(wider);
    expect(await tree.up()).toEqual([lastId(wider)]);
    expect(await tree.drift()).toHaveLength(owned.length);
  });

  test('may be written by hand, and then needs nothing but an up.sql', async () => {
    const folder = join(tree.folder, 'migrations/0002_own');
    await mkdir(folder);
    await writeFile(join(folder, 'up.sql'), own);
    expect(await tree.up()).toEqual(['0002_own']);
    expect(await tree.up()).toEqual([]);
  });
});

/** What an owner may write, with words that also end transactions. */
const own = `CREATE TABLE notes (text text);
CREATE TRIGGER forget AFTER INSERT ON notes
BEGIN
  DELETE FROM log;
END;
`;

/** Gives a table another text, which SQLite believes. */
function rewritten(was: string, is: string, table: string): string {
  return `PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, ${was}, ${is}) WHERE name = '${table}';
    PRAGMA writable_schema = RESET;`;
}
