import type { Migration } from '../../../src/evolve/migration.ts';
import { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { addFunctions } from '../../../runner/sqlite/functions.ts';
import { collect } from '../../support/collect.ts';
import { valuesOf } from '../../support/sqlite-values.ts';
import { introspectSqlite } from './introspect-sqlite.ts';
import { applySqlite } from './sqlite-runner.ts';
import type { Store } from './store.ts';

let closed = 0;

export async function openSqlite(): Promise<Store> {
  const connection = new DatabaseSync(':memory:');
  addFunctions(connection);
  return {
    run: async (sql) => void connection.exec(sql),
    values: async (query) => valuesOf(connection, query),
    rows: async (query) => connection.prepare<Record<string, unknown>>(query).all(),
    apply: async (migration: Migration, way) => applySqlite(connection, migration, way),
    introspect: async () => introspectSqlite(connection),
    async close() {
      connection.close();
      closed += 1;
      // Otherwise it keeps its two megabytes until its statements are garbage collected.
      if (closed % 500 === 0) await collect();
    },
  };
}
