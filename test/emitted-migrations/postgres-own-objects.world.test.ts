import { afterEach, describe, expect, test } from 'vitest';
import { openProject, type Project } from './postgres/project.ts';
import { evolved, historyOf } from './support/history.ts';

const schema = (item: string, kid = 'k: string, grade: int?') => `models:
  Item: { ${item}, timestamps: false, fields: { title: string, qty: int? } }
  Kid:
    timestamps: false
    fields: { ${kid} }
    relations: { item: { to: Item, optional: true } }
`;
const numbered = historyOf('postgres', [schema('id: int')]);
const rekeyed = evolved(numbered, schema('id: uuid'));
const drawn = historyOf('postgres', [schema('id: uuid')]);
const filled = evolved(numbered, schema('id: int', 'k: string, grade: { type: int, backfill: 0 }'));

let project: Project;

afterEach(() => project.close());

/** The first schema, with two items that have a kid each, and what the owner has made. */
async function openKids(own: string, first = numbered): Promise<void> {
  project = await openProject(first);
  await project.up();
  const isDrawn = first === drawn;
  const given = isDrawn ? 'id, ' : '';
  const id = (digit: string) => (isDrawn ? `'0000000${digit}-0000-4000-8000-000000000000', ` : '');
  await project.client.query(`
    INSERT INTO items (${given}title) VALUES (${id('1')}'a'), (${id('2')}'b');
    INSERT INTO kids (k, item_id) SELECT CASE title WHEN 'a' THEN 'open' ELSE 'LOCKED' END, id FROM items;
    INSERT INTO kids (k) VALUES ('alone');
    ${own}`);
}

async function rows(sql: string): Promise<readonly unknown[]> {
  return (await project.client.query({ text: sql, rowMode: 'array' })).rows;
}

const links = 'SELECT k, title FROM kids LEFT JOIN items ON items.id = item_id ORDER BY k';
const linked = [
  ['LOCKED', 'b'],
  ['alone', null],
  ['open', 'a'],
];

describe('ids of another kind', () => {
  test.each([
    ['uuids', numbered, rekeyed],
    ['numbers', drawn, evolved(drawn, schema('id: int'))],
  ])('%s: every key follows, whatever triggers of the owner would do', async (_, first, next) => {
    await openKids(
      `CREATE FUNCTION lk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF old.k = 'LOCKED' THEN RETURN NULL; END IF; RETURN new; END $$;
      CREATE TRIGGER lk BEFORE UPDATE ON kids FOR EACH ROW EXECUTE FUNCTION lk();`,
      first,
    );
    await project.put(next);
    await project.up();
    expect(await rows(links)).toEqual(linked);
    expect(await project.drift(next)).toMatchObject([{ kind: 'extra', object: 'trigger kids.lk' }]);
  });

  test('what the owner has made on a key stays: index, check, statistics, comment, grant', async () => {
    await openKids(`
      CREATE INDEX mine ON kids (item_id, k);
      ALTER TABLE kids ADD CONSTRAINT mine_too CHECK (item_id IS NOT NULL OR k = 'alone');
      CREATE STATISTICS mine_also ON item_id, k FROM kids;
      COMMENT ON COLUMN kids.item_id IS 'mine';
      GRANT SELECT (item_id) ON kids TO PUBLIC;`);
    await project.put(rekeyed);
    await project.up();
    expect(
      await rows(`SELECT to_regclass('mine') IS NOT NULL,
        (SELECT count(*)::int FROM pg_constraint WHERE conname = 'mine_too'),
        (SELECT count(*)::int FROM pg_statistic_ext WHERE stxname = 'mine_also'),
        col_description('kids'::regclass, attnum), attacl::text
        FROM pg_attribute WHERE attrelid = 'kids'::regclass AND attname = 'item_id'`),
    ).toEqual([[true, 1, 1, 'mine', '{=r/tester}']]);
    expect(await rows(links)).toEqual(linked);
  });

  test('a key that leads nowhere stops the migration', async () => {
    await openKids(`
      SET session_replication_role = replica;
      UPDATE kids SET item_id = 99 WHERE k = 'LOCKED';
      RESET session_replication_role;`);
    await project.put(rekeyed);
    await expect(project.up()).rejects.toThrow('no row of items has the id 99');
    expect(await rows('SELECT item_id::int FROM kids ORDER BY k')).toEqual([[99], [null], [1]]);
  });

  test('rows that the migrating role may not see stop the migration', async () => {
    await openKids(`
      ALTER TABLE kids ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY open ON kids USING (k <> 'LOCKED');
      CREATE ROLE ${role} LOGIN;
      GRANT ALL ON SCHEMA public TO ${role};
      DO $$ DECLARE t text; BEGIN
        FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
          EXECUTE format('ALTER TABLE %I OWNER TO ${role}', t);
        END LOOP; END $$;`);
    await project.put(filled);
    const url = new URL(project.url);
    url.username = role;
    await expect(project.up(1000, url.href)).rejects.toThrow(
      /row-level security policy for table "kids".*BYPASSRLS/s,
    );
    expect(await rows(`SELECT count(*)::int FROM kids WHERE k = 'LOCKED'`)).toEqual([[1]]);
    await project.client.query(
      `REASSIGN OWNED BY ${role} TO tester; DROP OWNED BY ${role}; DROP ROLE ${role}`,
    );
  });
});

describe('a field that is dropped', () => {
  const dropped = evolved(
    numbered,
    schema('id: int').replace('title: string, qty: int?', 'title: string'),
  );

  test.each([
    ['an index', 'CREATE UNIQUE INDEX mine ON items (title, qty)', 'index mine'],
    [
      'a check',
      'ALTER TABLE items ADD CONSTRAINT mine CHECK (qty > 0)',
      'constraint mine of items',
    ],
    ['statistics', 'CREATE STATISTICS mine ON title, qty FROM items', 'statistics mine'],
    [
      'a unique constraint',
      'ALTER TABLE items ADD CONSTRAINT "my own" UNIQUE (title, qty)',
      'constraint my own of items',
    ],
  ])('does not take along what the owner has made: %s', async (_, own, object) => {
    await openKids(own);
    await project.put(dropped);
    await expect(project.up()).rejects.toThrow(
      `failed and was undone: It would also drop what you made in the database: `,
    );
    await expect(project.up()).rejects.toThrow(object);
    expect(await rows('SELECT qty FROM items')).toEqual([[null], [null]]);
    const name = object.replace(/^\w+ | of items$/g, '');
    await project.edit(
      `${dropped.migrations.at(-1)?.id}/up.sql`,
      (sql) => `-- "${name}" may go.\n${sql}`,
    );
    await project.up();
  });
});

const role = `half_blind_${process.pid}`;
