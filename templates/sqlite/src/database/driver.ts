import { createRequire, isBuiltin } from 'node:module';
import { completed } from './older-sqlite.ts';

export type SqliteValue = bigint | number | string | Uint8Array | null;

/** SQLite gives it as many values as it names. */
export type SqlFunction = (...values: readonly SqliteValue[]) => SqliteValue;

/** What is used here of `DatabaseSync`, https://nodejs.org/api/sqlite.html. */
export interface DatabaseSync {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare<Row = unknown>(sql: string): StatementSync<Row>;
  function(name: string, options: { readonly deterministic: boolean }, work: SqlFunction): void;
  close(): void;
}

/** Takes `SqliteValue`s; SQLite has no booleans. */
export interface StatementSync<Row> {
  all(...values: readonly unknown[]): Row[];
  get(...values: readonly unknown[]): Row | undefined;
  iterate(...values: readonly unknown[]): IterableIterator<Row>;
  run(...values: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  columns(): readonly Column[];
  /** Integers as `bigint`; as numbers, those beyond 2^53 are refused. */
  setReadBigInts(enabled: boolean): void;
  setReturnArrays(enabled: boolean): void;
}

/** A column of a result; `column` and `table` are those it is read from, null for an expression. */
export interface Column {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
  readonly type: string | null;
}

export interface SqliteModule {
  readonly DatabaseSync: new (
    file: string,
    options?: { readonly readOnly?: boolean; readonly timeout?: number },
  ) => DatabaseSync;
  readonly StatementSync: { readonly prototype: object };
}

const require = createRequire(import.meta.url);

/** The SQLite of Node.js 22.16 and later, and on earlier ones a package that is the same. */
export const { DatabaseSync } = loadSqlite();

function loadSqlite(): SqliteModule {
  if (isBuiltin('node:sqlite')) {
    const builtIn = withoutWarnings((): SqliteModule => require('node:sqlite'));
    if ('columns' in builtIn.StatementSync.prototype) return builtIn;
  }
  try {
    return completed(require('@photostructure/sqlite'));
  } catch (cause) {
    throw new Error(
      `SQLite needs Node.js 22.16 or newer, or the optional package @photostructure/sqlite: \`npm install\` brings it.`,
      { cause },
    );
  }
}

/** Node.js 22 warns whoever loads its SQLite that it is experimental. */
function withoutWarnings<Result>(work: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
