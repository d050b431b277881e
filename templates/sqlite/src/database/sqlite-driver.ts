import { type DatabaseConnection, SqliteDriver, type SqliteStatement } from 'kysely';
import { decoderOf } from './dialect.ts';
import type { Column, DatabaseSync, StatementSync } from './driver.ts';
import { columnTypes } from './tables.ts';
import { refuseInsideTransaction } from './transaction.ts';

/** Reads; its statements see nothing of what is not committed. */
export function openReader(connection: DatabaseSync): SqliteDriver {
  const statementOf = statementCache(connection);
  return new SqliteDriver({
    database: { prepare: statementOf, close: () => connection.close() },
  });
}

/** Writes, one transaction at a time. */
export function openWriter(connection: DatabaseSync): SqliteDriver {
  const statementOf = statementCache(connection);
  return new WritingDriver(connection, strictly(connection, statementOf));
}

class WritingDriver extends SqliteDriver {
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync, statementOf: (text: string) => SqliteStatement) {
    super({ database: { prepare: statementOf, close: () => connection.close() } });
    this.#connection = connection;
  }

  /** A full disk has made SQLite roll back already: to ask for it again would fail, and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInsideTransaction();
    return super.acquireConnection();
  }
}

/**
 * As on PostgreSQL, a transaction ends with the first statement that fails in it: what its code catches and goes on
 * from does not become half of a commit.
 */
function strictly(connection: DatabaseSync, statementOf: (text: string) => SqliteStatement) {
  let hasFailed = false;
  return (text: string): SqliteStatement => {
    if (text === 'begin' || text.startsWith('rollback')) hasFailed = false;
    else if (hasFailed && connection.isTransaction) throw new Error(aborted);
    // A deferred transaction that turns into a write fails at once when another process has written meanwhile.
    const statement = statementOf(text === 'begin' ? 'begin immediate' : text);
    const watched = <Result>(run: () => Result): Result => {
      try {
        return run();
      } catch (error) {
        hasFailed = connection.isTransaction;
        throw error;
      }
    };
    return {
      reader: statement.reader,
      all: (parameters) => watched(() => statement.all(parameters)),
      run: (parameters) => watched(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
  };
}

const aborted =
  'A statement of this transaction has failed, so nothing of it can be kept: let the error pass, or put what may fail into a savepoint.';

const keptStatements = 1000;

/** Prepares each text once. */
export function statementCache(connection: DatabaseSync) {
  const statements = new Map<string, SqliteStatement>();
  return (text: string): SqliteStatement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = prepare(connection, text);
    for (const oldest of statements.keys()) {
      if (statements.size < keptStatements) break;
      statements.delete(oldest);
    }
    statements.set(text, statement);
    return statement;
  };
}

/** A statement that takes the values of JavaScript, and answers those of the API. */
function prepare(connection: DatabaseSync, text: string): SqliteStatement {
  const statement = connection.prepare<object>(text);
  const columns = statement.columns();
  const decode = decoding(statement, columns);
  return {
    reader: columns.length > 0,
    all(parameters) {
      const rows = statement.all(...parameters.map(bound));
      return decode === undefined ? rows : rows.map(decode);
    },
    run: (parameters) => statement.run(...parameters.map(bound)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(bound))) yield decode?.(row) ?? row;
    },
  };
}

/** The driver binds numbers as floats, which cost a conversion with every row that they are compared to. */
function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
}

/** By the columns that the results come from; what an expression makes stays as it is. */
function decoding(statement: StatementSync<object>, columns: readonly Column[]) {
  const decoders = columns.flatMap(({ name, table, column }) => {
    const type = columnTypes[table ?? '']?.[column ?? ''];
    const decode = type && decoderOf(type);
    return decode === undefined || type === undefined ? [] : [[name, decode, type] as const];
  });
  if (decoders.length === 0) return undefined;
  const isLarge = decoders.some(([, , { type }]) => type === 'decimal' || type === 'bigint');
  if (isLarge) statement.setReadBigInts(true);
  return (row: object): object => {
    const values: Record<string, unknown> = { ...row };
    for (const [name, decode] of decoders) {
      if (values[name] !== null) values[name] = decode(values[name]);
    }
    if (!isLarge) return values;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'bigint') values[name] = Number(value);
    }
    return values;
  };
}
