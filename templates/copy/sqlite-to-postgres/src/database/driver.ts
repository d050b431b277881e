import { createRequire, isBuiltin } from 'node:module';

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

interface SqliteModule {
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

/**
 * For Node.js before 22.16: @photostructure/sqlite 1, the last that is for Node.js 20, with what it does differently
 * from `node:sqlite` put right. What follows goes when Node.js 20 does.
 */
function completed(older: SqliteModule): SqliteModule {
  return {
    DatabaseSync: class extends older.DatabaseSync {
      override prepare<Row>(sql: string): StatementSync<Row> {
        const statement = super.prepare<Row>(sql);
        databases.set(statement, this);
        return completeStatement(statement);
      }
    },
    StatementSync: older.StatementSync,
  };
}

/** A statement does not keep its database from being collected, which closes it; this does: statement → database. */
const databases = new WeakMap<object, object>();

function completeStatement<Row>(statement: StatementSync<Row>): StatementSync<Row> {
  return {
    all: (...values) => withCode(() => statement.all(...values.map(bindable))),
    get: (...values) => withCode(() => statement.get(...values.map(bindable))),
    run: (...values) => withCode(() => statement.run(...values.map(bindable))),
    // Its iterator does not keep the statement from being collected; this function does.
    *iterate(...values) {
      const rows = statement.iterate(...values.map(bindable));
      for (;;) {
        const next = withCode(() => rows.next());
        if (next.done === true) return;
        yield next.value;
      }
    },
    columns: () => statement.columns(),
    setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
    setReturnArrays: (enabled) => statement.setReturnArrays(enabled),
  };
}

/** It cuts texts at U+0000, and makes 0 of numbers near to it: a column of numbers takes them as text. */
function bindable(value: unknown): unknown {
  if (typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-15) return String(value);
  if (typeof value !== 'string' || !value.includes('\0')) return value;
  throw new Error('A text with the character U+0000 cannot be stored with Node.js before 22.16.');
}

/** It leaves the result code out of some errors: SQLite's words say it. */
function withCode<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || 'errcode' in error) throw error;
    const { message } = error;
    const known = codes.find(([start]) => message.startsWith(start));
    throw known === undefined ? error : Object.assign(error, { errcode: known[1] });
  }
}

/** https://sqlite.org/rescode.html */
const codes: readonly (readonly [string, number])[] = [
  ['UNIQUE constraint failed', 2067],
  ['CHECK constraint failed', 275],
  ['FOREIGN KEY constraint failed', 787],
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['locking protocol', 15],
  ['string or blob too big', 18],
  ['file is not a database', 26],
];
