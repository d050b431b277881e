/** A connection to a file, as `DatabaseSync` of https://nodejs.org/api/sqlite.html on every version of Node.js. */
export interface DatabaseSync {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare<Row = unknown>(sql: string): StatementSync<Row>;
  function(name: string, options: { readonly deterministic: boolean }, work: SqlFunction): void;
  close(): void;
}

type SqliteValue = bigint | number | string | Uint8Array | null;
type SqlFunction = (...values: readonly SqliteValue[]) => SqliteValue;

/** Takes `SqliteValue`s; SQLite has no booleans. */
export interface StatementSync<Row> {
  all(...values: readonly unknown[]): Row[];
  get(...values: readonly unknown[]): Row | undefined;
  run(...values: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  columns(): readonly Column[];
  /** Integers as `bigint`; as numbers, those beyond 2^53 are refused. */
  setReadBigInts(enabled: boolean): void;
}

/** A column of a result; `column` and `table` are those it is read from, null for an expression. */
export interface Column {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
}

/** `file:./var/app.db`, `file:/srv/app.db` or `file:///srv/app.db` → a path. */
export function databaseFile(url: string): string;

/** Creates the file if it does not exist, readable only by its owner. */
export function makeFile(file: string): void;

/**
 * Opens a connection with all settings that belong to a connection instead of the file, and with the SQL functions of
 * this server.
 */
export function openFile(
  file: string,
  options?: {
    readonly readOnly?: boolean;
    /** Milliseconds to wait for the lock of another process. */
    readonly timeout?: number;
  },
): DatabaseSync;
