import { afterAll, describe, expect, test, vi } from 'vitest';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { tablesSql } from '../../src/evolve/initial.ts';
import { snapshotShape, snapshotApp } from '../../src/model/snapshot.ts';
import { latestTablesVersion } from '../../src/schema/internal-tables.ts';
import { appOf } from './support/app-of.ts';
import { openStore } from './support/open-store.ts';
import { tablesOf } from './support/store.ts';

// Test files share a worker: modules that others loaded are not mocked, and others must not get those mocked here.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

/** A future version: one more column, one more index and one more table. */
vi.mock('../../src/schema/internal-tables.ts', async (original) => {
  const actual = await original<typeof import('../../src/schema/internal-tables.ts')>();
  const { tablesByVersion } = actual;
  const next = (tablesByVersion.at(-1) ?? []).map((table) =>
    table.name === 'auth_sessions'
      ? {
          ...table,
          columns: { ...table.columns, device: { kind: 'text', nullable: true } },
          indexes: [...table.indexes, { column: 'device' }],
        }
      : table,
  );
  const keys = { comment: 'Keys.', columns: { id: { kind: 'text' }, owner: { kind: 'user' } } };
  const added = { ...keys, name: 'auth_keys', primaryKey: ['id'], indexes: [] };
  return { ...actual, tablesByVersion: [...tablesByVersion, [...next, added]] };
});

const blog = 'models: { Post: { fields: { title: string } } }';
const stamp = '2026-01-02T03:04:05.678Z';

test('the latest version is the last in the list', async () => {
  const { tablesByVersion } = await vi.importActual<
    typeof import('../../src/schema/internal-tables.ts')
  >('../../src/schema/internal-tables.ts');
  expect(tablesByVersion).toHaveLength(latestTablesVersion);
});

test('a snapshot that has no version counts as the first', () => {
  const saved: Saved = JSON.parse(JSON.stringify(snapshotApp(appOf(blog))));
  const { layout: _, ...app } = saved.app;
  expect(snapshotShape.parse({ ...saved, app }).layout).toBe(1);
});

interface Saved {
  readonly version: number;
  readonly app: Readonly<Record<string, unknown>>;
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('a migration takes the server’s own tables to a new version, and keeps their rows', async () => {
    const before = appOf(blog, engine);
    const after = { ...before, layout: latestTablesVersion + 1 };
    const options = { sequence: 2, parent: '0001_initial', schemaText: blog };
    const evolved = makeMigration(before, after, options);
    expect(evolved?.migration.id).toBe('0002_change_tables');
    expect(evolved?.migration.files['up.sql']).toContain("the server's own tables in another form");
    const store = await openStore(engine);
    await store.run(tablesSql(before));
    await store.run(
      `INSERT INTO users (id, name, email, password, created_at, updated_at) VALUES (1, 'Ann', 'a@x', 'x', '${stamp}', '${stamp}')`,
    );
    await store.run(
      `INSERT INTO auth_sessions (id, user_id, current_jti, current_iat, created_at, expires_at) VALUES ('s', 1, 'j', 7, '${stamp}', '${stamp}')`,
    );
    if (evolved !== undefined) await store.apply(evolved.migration);
    const made = await tablesOf(() => openStore(engine), tablesSql(after));
    expect(await store.introspect()).toEqual(made);
    expect(await store.values('SELECT id, device FROM auth_sessions')).toEqual([['s', null]]);
    await store.close();
  });

  test('a project on the first version gets the tables of the second, and keeps logins and mail', async () => {
    const before = { ...appOf(blog, engine), layout: 1 };
    const after = { ...before, layout: 2 };
    const options = { sequence: 2, parent: '0001_initial', schemaText: blog };
    const evolved = makeMigration(before, after, options);
    const store = await openStore(engine);
    await store.run(tablesSql(before));
    await store.run(
      `INSERT INTO users (id, name, email, password, created_at, updated_at) VALUES (1, 'Ann', 'a@x', 'x', '${stamp}', '${stamp}')`,
    );
    await store.run(
      `INSERT INTO auth_sessions (id, user_id, current_jti, current_iat, created_at, expires_at) VALUES ('s', 1, 'j', 7, '${stamp}', '${stamp}')`,
    );
    await store.run(
      `INSERT INTO mail_outbox (id, kind, recipient, created_at, attempts, next_attempt_at) VALUES ('m', 'reset_password', 'a@x', '${stamp}', 0, '${stamp}')`,
    );
    await store.run(
      `INSERT INTO auth_rate_limits (key, count, window_started_at) VALUES ('k', 3, '${stamp}')`,
    );
    expect(evolved?.hazards).toEqual([]);
    if (evolved !== undefined) await store.apply(evolved.migration);
    const made = await tablesOf(() => openStore(engine), tablesSql(after));
    expect(await store.introspect()).toEqual(made);
    expect(await store.values('SELECT id FROM auth_sessions')).toEqual([['s']]);
    expect(await store.values('SELECT id, payload FROM mail_outbox')).toEqual([['m', null]]);
    expect(await store.values('SELECT * FROM auth_limits')).toEqual([]);
    await store.close();
  });
});
