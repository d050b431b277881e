import { existsSync } from 'node:fs';
import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import {
  type Applied,
  type AppliedMigration,
  type MigrationRun,
  refuseForeignRecord,
} from '../history.ts';
import { databaseFile, openFile } from './file.ts';

/**
 * Reads what is applied without changing anything. A migration is one transaction here, so none is ever in progress.
 */
export async function readRecorded(url: string): Promise<Applied> {
  const file = databaseFile(url);
  // To open a missing file would create it.
  if (!existsSync(file)) return { migrations: [] };
  const connection = openFile(file, { readOnly: true });
  try {
    const columns = recordColumns(connection);
    refuseForeignRecord(columns);
    if (columns.length === 0) return { migrations: [] };
    // A database of an earlier version has fewer columns.
    const all = connection.prepare<AppliedMigration>('select * from schema_migrations');
    return { migrations: all.all() };
  } finally {
    connection.close();
  }
}

/** Creates the table if it does not exist. */
export function readApplied(connection: DatabaseSync): readonly AppliedMigration[] {
  refuseForeignRecord(recordColumns(connection));
  connection.exec(
    'create table if not exists schema_migrations (id text primary key not null, checksum text not null, applied_at text not null, additive integer) strict',
  );
  if (!recordColumns(connection).includes('additive'))
    connection.exec('alter table schema_migrations add column additive integer');
  return connection
    .prepare<AppliedMigration>('select id, checksum, additive from schema_migrations')
    .all();
}

function recordColumns(connection: DatabaseSync): readonly string[] {
  return connection
    .prepare<{ name: string }>(`select name from pragma_table_info('schema_migrations')`)
    .all()
    .map(({ name }) => name);
}

export function record(connection: DatabaseSync, { removes, adds }: MigrationRun): void {
  const remove = connection.prepare('delete from schema_migrations where id = ?');
  for (const id of removes) remove.run(id);
  const add = connection.prepare(
    'insert into schema_migrations (id, checksum, applied_at, additive) values (?, ?, ?, ?)',
  );
  for (const { id, checksum, additive } of adds) {
    add.run(id, checksum, new Date().toISOString(), additive ?? null);
  }
}
