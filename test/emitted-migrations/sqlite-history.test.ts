import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { introspectSqlite } from '../evolve/support/introspect-sqlite.ts';
import { hanging } from '../support/run.ts';
import { evolved } from './support/history.ts';
import { firstTree, lastId, plantTree, type Tree, treeSchema } from './support/tree.ts';

const title = 'string(..20)';
const renamed = evolved(
  firstTree,
  treeSchema(title)
    .replace('title: "string(..20)"', `name: { type: ${title}, was: title }`)
    .replace('[[title]]', '[[name]]'),
);
const narrowed = evolved(firstTree, treeSchema('string(..4)'));
const dropped = evolved(firstTree, treeSchema(title).replace('text: text?', 'note: text?'));

let tree: Tree;

beforeEach(async () => {
  tree = await plantTree();
});

afterEach(() => {
  tree.database.close();
});

describe('rows that do not allow a migration', () => {
  test('stop it and are counted, and nothing is changed', async () => {
    const before = tree.everything();
    await tree.put(narrowed);
    await expect(tree.up()).rejects.toThrow(
      `Migration ${lastId(narrowed)} cannot be applied because of rows in the database; nothing was changed:\n  SCF424 Node.title, 1 row: Values that`,
    );
    expect(tree.everything()).toEqual(before);
    tree.database.exec(`UPDATE nodes SET title = 'limb' WHERE title = 'branch'`);
    expect(await tree.up()).toEqual([lastId(narrowed)]);
  });

  test('are only reported where they do not stop it', async () => {
    await tree.put(dropped);
    expect(await tree.up()).toEqual([lastId(dropped)]);
    expect(tree.said()[0]).toMatch(/^0002_\w+: SCF412 Leaf\.text, 2 rows: /);
  });

  test('are left to whoever edits the SQL', async () => {
    await tree.put(narrowed);
    const fix = `UPDATE nodes SET title = substr(title, 1, 4);`;
    await tree.edit(`${lastId(narrowed)}/up.sql`, (sql) => `${fix}\n${sql}`);
    expect(await tree.up()).toEqual([lastId(narrowed)]);
    expect(tree.all('SELECT title FROM nodes ORDER BY id')).toEqual([['root'], ['bran'], ['twig']]);
  });
});

describe('what was applied may not change', () => {
  test('an edited migration is refused', async () => {
    await tree.put(renamed);
    await tree.edit('0001_initial/up.sql', (sql) => `${sql}-- edited\n`);
    await expect(tree.up()).rejects.toThrow(
      'Migrations were edited after they had been applied: 0001_initial. Restore them',
    );
  });

  test('and so is one that the code does not know', async () => {
    await tree.put(renamed);
    await tree.up();
    await tree.put(firstTree);
    await expect(tree.up()).rejects.toThrow(`does not have: ${lastId(renamed)}`);
  });

  test.each(['COMMIT;', '  begin immediate;', 'END TRANSACTION;'])(
    'one that would end its transaction with %s is refused',
    async (statement) => {
      await tree.put(renamed);
      await tree.edit(`${lastId(renamed)}/up.sql`, (sql) => `${sql}${statement}\n`);
      await expect(tree.up()).rejects.toThrow(
        `says \`${statement.trim().replace(';', '').toUpperCase()}\``,
      );
    },
  );

  test('line ends of another checkout make no difference', async () => {
    await tree.edit('0001_initial/up.sql', (sql) => sql.replaceAll('\n', '\r\n'));
    expect(await tree.up()).toEqual([]);
  });
});

describe('the way back', () => {
  test('leads by down.sql to what was there before, as often as one likes', async () => {
    const before = [introspectSqlite(tree.database), tree.rows()];
    await tree.put(renamed);
    for (let round = 0; round < 3; round += 1) {
      expect(await tree.up()).toEqual([lastId(renamed)]);
      expect(tree.all('SELECT name FROM nodes WHERE id = 1')).toEqual([['root']]);
      expect(await tree.down()).toBe(lastId(renamed));
      expect([introspectSqlite(tree.database), tree.rows()]).toEqual(before);
    }
  });

  test('is refused where something would be lost, and the error says where the copy is', async () => {
    await tree.put(dropped);
    await tree.up();
    const before = tree.everything();
    await expect(tree.down()).rejects.toThrow(
      /has no down\.sql.*stop the server.*backups\/app\.db-.*\.sqlite over/,
    );
    expect(tree.everything()).toEqual(before);
  });

  test('does not take back the first migration', async () => {
    await expect(tree.down()).rejects.toThrow('0001_initial made the tables');
  });
});

describe('another connection that writes', () => {
  test('is waited for while the rest of this process goes on', async () => {
    await tree.put(renamed);
    tree.database.exec('BEGIN IMMEDIATE');
    const running = tree.up();
    await expect
      .poll(() => tree.said()[0], { timeout: hanging })
      .toMatch(/^Another connection has been writing to .* for \d s: .* Waiting\.$/);
    tree.database.exec('COMMIT');
    expect(await running).toEqual([lastId(renamed)]);
  });

  test("is not waited for longer than the timeout: nothing migrates inside an open transaction of one's own", async () => {
    await tree.put(renamed);
    tree.database.exec('BEGIN IMMEDIATE');
    await expect(tree.up({ timeout: 150 })).rejects.toThrow(
      /^Another connection has been writing to .* for 0\.15 s: .*Nothing was changed; try again\.$/,
    );
    tree.database.exec('ROLLBACK');
    expect(await tree.up()).toEqual([lastId(renamed)]);
  });
});
