import Sqlite from 'better-sqlite3';
import type { Migration } from '../../../src/evolve/migration.ts';
import { functions } from '../../../templates/sqlite/src/database/functions.ts';
import { introspectSqlite } from './introspect-sqlite.ts';
import { applySqlite } from './sqlite-runner.ts';
import type { Store } from './store.ts';

export async function openSqlite(): Promise<Store> {
  const connection = new Sqlite(':memory:');
  connection.pragma('foreign_keys = ON');
  for (const [name, work] of Object.entries(functions)) {
    connection.function(name, { deterministic: true }, work);
  }
  return {
    run: async (sql) => void connection.exec(sql),
    values: async (query) => connection.prepare<[], unknown[]>(query).raw().all(),
    rows: async (query) => connection.prepare<[], Record<string, unknown>>(query).all(),
    apply: async (migration: Migration, way) => applySqlite(connection, migration, way),
    introspect: async () => introspectSqlite(connection),
    close: async () => void connection.close(),
  };
}
