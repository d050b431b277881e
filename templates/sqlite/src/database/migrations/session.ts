import type { DatabaseSync } from '../driver.ts';
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
    connection.exec('pragma busy_timeout = 100');
    return await work({
      async run(choose) {
        await beginAlone(connection, file, options);
        return finish(connection, async () => {
          const run = choose(readApplied(connection));
          if (run !== undefined) await applyRun(connection, file, run, options.report);
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
function ignoreForeignKeys(connection: DatabaseSync): void {
  connection.exec('pragma foreign_keys = OFF');
  const setting = connection.prepare<{ foreign_keys: number }>('pragma foreign_keys').get();
  if (setting?.foreign_keys === 0) return;
  throw new MigrationError(
    'Foreign keys cannot be turned off here: migrate outside of a transaction.',
  );
}

/** The write lock is the lock between processes: one that has it knows what is applied until it commits, or dies. */
async function beginAlone(
  connection: DatabaseSync,
  file: string,
  { patience = Infinity, report }: SessionOptions,
): Promise<void> {
  const others = `to ${file}: another migration, or a transaction that is still open, perhaps of this very process.`;
  const isBegun = await waitFor(() => tryBegin(connection), {
    patience,
    tell: (seconds) => report(`For ${seconds} s somebody else has been writing ${others} Waiting.`),
  });
  if (isBegun) return;
  throw new MigrationError(
    `For ${patience / 1000} s somebody else has been writing ${others} Nothing was changed; try again.`,
  );
}

function tryBegin(connection: DatabaseSync): boolean {
  try {
    connection.exec('begin immediate');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

async function finish<Result>(
  connection: DatabaseSync,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    if (connection.isTransaction) connection.exec('commit');
    return result;
  } finally {
    if (connection.isTransaction) connection.exec('rollback');
  }
}

function restoring(file: string, id: string): string {
  const backup = findBackup(file, id);
  if (backup === undefined) return 'restore a backup that is older.';
  return `stop the server, delete ${file}-wal and ${file}-shm, and copy ${backup} over ${file}, which does not have what was written since.`;
}
