import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { primaryCode } from './dialect.ts';
import { DatabaseSync, type SqlFunction } from './driver.ts';
import { checkTime } from './time-limit.ts';

/** `file:./var/app.db`, `file:/srv/app.db` or `file:///srv/app.db` → a path. */
export function databaseFile(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  return url.replace(/^file:/, '');
}

/** https://sqlite.org/rescode.html */
const busy = 5;
const cantOpen = 14;

/**
 * A new file is its owner's alone, as are those that SQLite writes beside it: people's addresses are in them, and what
 * their passwords are checked by. A file that cannot be there cannot be opened.
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

/** A connection to the file with every setting that holds for a connection rather than for the file. */
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
 * The mode is kept in the file, so only the first process that opens it has anything to change. When several are first,
 * SQLite tells all but one that the file is locked, without the time-out that it has elsewhere.
 */
function useWriteAheadLog(connection: DatabaseSync, timeout: number): void {
  const deadline = performance.now() + timeout;
  const mode = connection.prepare<{ journal_mode: string }>('pragma journal_mode');
  while (mode.get()?.journal_mode !== 'wal') {
    try {
      connection.exec('pragma journal_mode = WAL');
    } catch (error) {
      if (primaryCode(error) !== busy || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** SQL functions that SQLite lacks, as those of `migrations/migrate.js` are. Each answers NULL for NULL. */
const functions: Readonly<Record<string, SqlFunction>> = {
  /** Lower case for all of Unicode; SQLite's own `lower` knows ASCII alone. */
  fold: (text) => (typeof text === 'string' ? text.toLowerCase() : text),
  float_text: (value) => (typeof value === 'number' ? floatText(value) : null),
  base64: (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : null),
};

function addFunctions(connection: DatabaseSync): void {
  for (const [name, work] of Object.entries(functions)) {
    connection.function(name, { deterministic: true }, work);
  }
  connection.function('in_time', { deterministic: false }, checkTime);
}

/** The shortest text that reads back as the same number, written as PostgreSQL writes it: `1e-05`, `1e+15`. */
function floatText(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 15) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
