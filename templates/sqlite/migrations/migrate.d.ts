/** What `migrate.js` has for the server, its commands and its tests. Made by scaffold with it: not to be edited. */

export interface MigrateOptions {
  /** Hears what happens, a sentence at a time. */
  readonly report?: (line: string) => void;
  /** Milliseconds to wait for others; without it, for another process that migrates as long as that lives. */
  readonly timeout?: number;
  /** Where the migrations are, when not beside `migrate.js`. */
  readonly folder?: string;
}

/**
 * Applies what is pending and returns its ids. Any number of processes may do so at once: each migration is applied once.
 * Throws a MigrationError, and changes nothing, when history does not agree.
 */
export function migrate(url: string, options?: MigrateOptions): Promise<readonly string[]>;

/** Throws a MigrationError unless the database is as far as this code. */
export function refusePending(url: string): Promise<void>;

/** Ids, oldest first. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied to the database, and not in the folder. */
  readonly unknown: readonly string[];
  /** Applied, and edited since. */
  readonly altered: readonly string[];
}

/** Looks, and makes nothing. */
export function readStatus(url: string): Promise<MigrationStatus>;

/** Whether the database is what the migrations make of it, and how its tables differ from `schema.sql`. */
export function inspect(url: string): Promise<{
  readonly isInStep: boolean;
  readonly drift?: readonly { readonly kind: string; readonly object: string }[];
}>;

/** Prints what there is to say, and returns the exit status. */
export function runAsCommand(
  name: 'migrate' | 'status' | 'baseline' | 'rollback' | 'squash',
  url: string,
  args: readonly string[],
): Promise<number>;

/** A migration that cannot be applied; the database is as it was. The message is for the person who runs it. */
export class MigrationError extends Error {}

/** The database inside the transaction of a migration; SQL has the placeholders of its engine. */
interface DataConnection {
  all(sql: string, ...values: readonly unknown[]): Promise<readonly DataRow[]>;
  run(sql: string, ...values: readonly unknown[]): Promise<void>;
}

interface DataRow {
  readonly [column: string]: unknown;
}

/** What `src/database/data/<name>.ts` exports as `up`: it runs after the SQL, and is undone with it when it throws. */
export type DataMigration = (connection: DataConnection) => Promise<void>;

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

/** Makes the file where there is none: its owner's alone. */
export function makeFile(file: string): void;

/** A connection with every setting that holds for a connection rather than for the file, and the SQL functions of this server. */
export function openFile(
  file: string,
  options?: {
    readonly readOnly?: boolean;
    /** Milliseconds to wait for the lock of another process. */
    readonly timeout?: number;
  },
): DatabaseSync;
