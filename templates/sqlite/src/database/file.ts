import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { functions } from './functions.ts';

/** `file:./var/app.db`, `file:/srv/app.db` or `file:///srv/app.db` → a path. */
export function databaseFile(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  return url.replace(/^file:/, '');
}

/** A file that cannot be there cannot be opened. */
export function makeFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new Sqlite.SqliteError(String(error), 'SQLITE_CANTOPEN');
  }
}

/** Milliseconds to wait for the lock of another process. */
const patience = 5000;

/** A connection to the file with every setting that holds for a connection rather than for the file. */
export function openFile(file: string, options: { readonly?: boolean } = {}): Sqlite.Database {
  const connection = new Sqlite(file, { ...options, timeout: patience });
  if (options.readonly !== true) useWriteAheadLog(connection);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('trusted_schema = OFF');
  connection.pragma('temp_store = MEMORY');
  connection.pragma('cache_size = -16384');
  for (const [name, work] of Object.entries(functions)) {
    connection.function(name, { deterministic: true }, work);
  }
  return connection;
}

/**
 * The mode is kept in the file, so only the first process that opens it has anything to change. When several are first,
 * SQLite tells all but one that the file is locked, without the patience that it has elsewhere.
 */
function useWriteAheadLog(connection: Sqlite.Database): void {
  const deadline = performance.now() + patience;
  while (connection.pragma('journal_mode', { simple: true }) !== 'wal') {
    try {
      connection.pragma('journal_mode = WAL');
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Whether another connection has what this one needs. */
export function isLocked(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
