import type { Migration } from '../../../src/evolve/migration.ts';

/** A database of either engine, as the random chains use it. */
export interface Store {
  run(sql: string): Promise<void>;
  values(query: string): Promise<readonly (readonly unknown[])[]>;
  rows(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** As a project's runner does: throws, and changes nothing, when it cannot be applied. */
  apply(migration: Migration, way?: 'up.sql' | 'down.sql'): Promise<void>;
  introspect(): Promise<unknown>;
  close(): Promise<void>;
}

/** What an empty database holds after this SQL, which is rolled back: that costs less than dropping the database. */
export async function tablesOf(open: () => Promise<Store>, sql: string): Promise<unknown> {
  const store = await open();
  await store.run('BEGIN');
  await store.run(sql);
  const tables = await store.introspect();
  await store.run('ROLLBACK');
  await store.close();
  return tables;
}
