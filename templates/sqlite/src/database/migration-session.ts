import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { databaseFile, openFile } from './file.ts';
import type { AppliedMigration } from './migrate.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './migrations.ts';

export interface MigrationSession {
  applied(): Promise<readonly AppliedMigration[]>;
  /** False when another process has applied it meanwhile. */
  apply(migration: Migration): Promise<boolean>;
}

export async function migrationSession<Result>(
  url: string,
  work: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  const file = databaseFile(url);
  mkdirSync(dirname(file), { recursive: true });
  const connection = openFile(file);
  try {
    // Tables are rebuilt under their old names, which must not cascade. The pragma does nothing inside a transaction.
    connection.pragma('foreign_keys = OFF');
    connection.pragma('busy_timeout = 60000');
    return await work({
      applied: async () => exclusively(connection, () => readApplied(connection)),
      apply: async (migration) => exclusively(connection, () => apply(connection, migration)),
    });
  } finally {
    connection.close();
  }
}

/** The write lock keeps other processes out until the end of the transaction. */
function exclusively<Result>(connection: Sqlite.Database, work: () => Result): Result {
  return connection.transaction(work).immediate();
}

function readApplied(connection: Sqlite.Database): readonly AppliedMigration[] {
  connection.exec(
    'create table if not exists schema_migrations (id text primary key not null, checksum text not null, applied_at text not null) strict',
  );
  return connection
    .prepare<[], AppliedMigration>('select id, checksum from schema_migrations')
    .all();
}

function apply(connection: Sqlite.Database, { id, up, checksum }: Migration): boolean {
  if (readApplied(connection).some((applied) => applied.id === id)) return false;
  try {
    connection.exec(up);
  } catch (cause) {
    throw new MigrationError(`Migration ${id} failed and was undone: ${messageOf(cause)}`, {
      cause,
    });
  }
  refuseLostReferences(connection, id);
  connection
    .prepare('insert into schema_migrations (id, checksum, applied_at) values (?, ?, ?)')
    .run(id, checksum, new Date().toISOString());
  return true;
}

function refuseLostReferences(connection: Sqlite.Database, id: string): void {
  const [row] = connection
    .prepare<[], { table: string; parent: string }>('select * from pragma_foreign_key_check')
    .all();
  if (row === undefined) return;
  throw new MigrationError(
    `Migration ${id} was undone: it would leave rows of ${row.table} that point to missing rows of ${row.parent}.`,
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
