import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { addFunctions } from './functions.ts';

/** `file:./var/app.db`, `file:/srv/app.db` or `file:///srv/app.db` → a path. */
export function databaseFile(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  return url.replace(/^file:/, '');
}

/** https://sqlite.org/rescode.html */
const generic = 1;
const busy = 5;
const cantOpen = 14;

/**
 * Creates a file that only its owner can read, like the files that SQLite puts next to it, since it has addresses and
 * password hashes. Throws if the file cannot be created.
 */
export function makeFile(file: string): void {
  if (existsSync(file)) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw Object.assign(new Error(String(error), { cause: error }), { errcode: cantOpen });
  }
}

interface FileOptions {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for the lock of another process. */
  readonly timeout?: number;
}

/** Opens a connection with all settings that belong to a connection instead of the file. */
export function openFile(file: string, options: FileOptions = {}): DatabaseSync {
  const { timeout = 3000, readOnly = false } = options;
  const connection = new DatabaseSync(file, { readOnly, timeout });
  try {
    if (!readOnly) useWriteAheadLog(connection, timeout);
    connection.exec(`
      pragma synchronous = FULL;
      pragma foreign_keys = ON;
      pragma trusted_schema = OFF;
      pragma temp_store = MEMORY;
      pragma cache_size = -16384;`);
    addFunctions(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * The file stores the mode, so only the first process has to set it. If several processes are first, SQLite tells all
 * but one that the file is locked, without its usual timeout.
 */
function useWriteAheadLog(connection: DatabaseSync, timeout: number): void {
  const deadline = performance.now() + timeout;
  const mode = connection.prepare<{ journal_mode: string }>('pragma journal_mode');
  while (mode.get()?.journal_mode !== 'wal') {
    try {
      connection.exec('pragma journal_mode = WAL');
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Whether another connection has the lock that this one needs. */
export function isLocked(error: unknown): boolean {
  return primaryCode(error) === busy;
}

/** The primary result code of an SQLite error; undefined for other errors. */
export function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const unavailableCodes = new Set([5, 6, 8, 10, 11, 13, 14, 15, 26]);

export function isUnavailable(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && unavailableCodes.has(code);
}

/** Whether the error says that something to be created exists already. SQLite has no code for that. */
export function isTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    primaryCode(error) === generic &&
    /^there is already | already exists$/.test(error.message)
  );
}
