import type Sqlite from 'better-sqlite3';
import { databaseFile, isLocked, makeFolder, openFile } from '../file.ts';
import { applyRun, readApplied } from './apply-run.ts';
import { findBackup } from './backups.ts';
import { MigrationError } from './error.ts';
import type { MigrationSession, SessionOptions } from './run.ts';
import { waitFor } from './wait-for.ts';

export async function migrationSession<Result>(
  url: string,
  options: SessionOptions,
  work: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  const file = databaseFile(url);
  makeFolder(file);
  const connection = openFile(file);
  try {
    ignoreForeignKeys(connection);
    // Whoever waits longer does so below, where the rest of this process goes on.
    connection.pragma('busy_timeout = 100');
    return await work({
      async run(choose) {
        await beginAlone(connection, options);
        return finish(connection, async () => {
          const run = choose(readApplied(connection));
          if (run !== undefined) await applyRun(connection, run, options.report);
          return run;
        });
      },
      restore: (id) => restoring(file, id),
    });
  } finally {
    connection.close();
  }
}

/**
 * Dropping a table that is made anew must not delete the rows that point to it. Inside a transaction, SQLite passes over
 * the pragma without a word.
 */
function ignoreForeignKeys(connection: Sqlite.Database): void {
  connection.pragma('foreign_keys = OFF');
  if (connection.pragma('foreign_keys', { simple: true }) === 0) return;
  throw new MigrationError(
    'Foreign keys cannot be turned off here: migrate outside of a transaction.',
  );
}

/** The write lock is the lock between processes: one that has it knows what is applied until it commits, or dies. */
async function beginAlone(
  connection: Sqlite.Database,
  { patience = Infinity, report }: SessionOptions,
): Promise<void> {
  const others = `to ${connection.name}: another migration, or a transaction that is still open, perhaps of this very process.`;
  const isBegun = await waitFor(() => tryBegin(connection), {
    patience,
    tell: (seconds) => report(`For ${seconds} s somebody else has been writing ${others} Waiting.`),
  });
  if (isBegun) return;
  throw new MigrationError(
    `For ${patience / 1000} s somebody else has been writing ${others} Nothing was changed; try again.`,
  );
}

function tryBegin(connection: Sqlite.Database): boolean {
  try {
    connection.exec('begin immediate');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

async function finish<Result>(
  connection: Sqlite.Database,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    if (connection.inTransaction) connection.exec('commit');
    return result;
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}

function restoring(file: string, id: string): string {
  const backup = findBackup(file, id);
  if (backup === undefined) return 'restore a backup that is older.';
  return `stop the server, delete ${file}-wal and ${file}-shm, and copy ${backup} over ${file}, which does not have what was written since.`;
}
