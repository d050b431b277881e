import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProject } from './postgres/project.ts';
import { copiedApp } from '../support/built-app.ts';
import { run } from '../support/run.ts';
import { historyOf } from './support/history.ts';

const history = historyOf('postgres', [
  'models: { Item: { fields: { title: string }, relations: { parent: { to: Item, optional: true } } } }',
]);
const fn = `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';`;

describe('what is reported about a PostgreSQL database that somebody has changed', () => {
  test.each([
    [
      'a trigger',
      `${fn} CREATE TRIGGER mine BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION f()`,
      'extra',
      'trigger items.mine',
    ],
    [
      'a key that is not enforced, and totals that are not kept',
      'ALTER TABLE items DISABLE TRIGGER ALL',
      'different',
      'constraint items.items_parent_id_fkey, trigger items.row_counts_delete, trigger items.row_counts_insert, trigger items.row_counts_truncate',
    ],
    [
      'row security',
      'ALTER TABLE items ENABLE ROW LEVEL SECURITY',
      'extra',
      'row security of items',
    ],
    ['a policy', 'CREATE POLICY mine ON items USING (true)', 'extra', 'policy items.mine'],
    [
      'a table whose rows do not survive a crash',
      'ALTER TABLE items SET UNLOGGED',
      'different',
      'table items',
    ],
    ['a grant', 'GRANT SELECT, DELETE ON items TO PUBLIC', 'extra', 'grant items.public'],
    [
      'a grant on a column',
      'GRANT UPDATE (title) ON items TO PUBLIC',
      'extra',
      'grant items.title.public',
    ],
    [
      'ids that will be given out twice',
      `INSERT INTO items (id, title, created_at, updated_at) VALUES (1, 'a', now(), now())`,
      'different',
      'sequence items.id',
    ],
    [
      'a check that is part of a column',
      'ALTER TABLE items ADD COLUMN mine int CHECK (mine > 0) UNIQUE REFERENCES items',
      'extra',
      'column items.mine, constraint items.items_mine_check, constraint items.items_mine_fkey, constraint items.items_mine_key, index items_mine_key',
    ],
    [
      'a table, but not what is on it',
      'CREATE TABLE mine (id int PRIMARY KEY, a text CHECK (a > b), b text)',
      'extra',
      'table mine',
    ],
  ])('%s', async (_, sql, kind, object) => {
    const project = await openProject(history);
    await project.up();
    expect(await project.drift(history)).toEqual([]);
    await project.client.query(sql);
    const drift = await project.drift(history);
    expect(drift.map((it) => it.object).join(', ')).toBe(object);
    expect(new Set(drift.map((it) => it.kind))).toEqual(new Set([kind]));
    await project.close();
  });
});

test('db:status fails without migrations/schema.sql, and says in one line what is missing', async () => {
  const { folder, env } = await copiedApp('minimal', 'sqlite');
  const command = (name: string) =>
    run(process.execPath, ['--import', '@oxc-node/core/register', 'src/cli.ts', name], {
      cwd: folder,
      env,
    });
  await command('migrate');
  expect(await command('status')).toMatchObject({
    code: 0,
    stdout: 'applied  0001_initial\nThe database is up to date.',
  });
  rmSync(join(folder, 'migrations/schema.sql'));
  expect(await command('status')).toMatchObject({
    code: 1,
    stdout:
      'applied  0001_initial\nTables were not compared: migrations/schema.sql is missing. Restore it, or run `scaffold regenerate --restore migrations/schema.sql`.',
  });
});
