import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { functions } from './functions.ts';

/** `file:./var/app.db`, `file:/srv/app.db` or `file:///srv/app.db` → a path. */
export function databaseFile(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  return url.replace(/^file:/, '');
}

/** A connection to the file with every setting that holds for a connection rather than for the file. */
export function openFile(file: string, options: { readonly?: boolean } = {}): Sqlite.Database {
  const connection = new Sqlite(file, { ...options, timeout: 5000 });
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

/** The mode is kept in the file; only the first process that opens it has anything to change. */
function useWriteAheadLog(connection: Sqlite.Database): void {
  if (connection.pragma('journal_mode', { simple: true }) === 'wal') return;
  connection.pragma('journal_mode = WAL');
}
