import type { SqliteStatement } from 'kysely';
import { boundedCache } from './cache.ts';
import { decoderOf } from './dialect.ts';
import type { Column, DatabaseSync, StatementSync } from './file.ts';
import { columnTypes } from './tables.ts';
import { refuseStream } from './transaction.ts';

/** What SQLite keeps of a statement that is prepared takes some thirty times its text. */
const mostCharacters = 1_000_000;

/** Prepares each text once. */
export function statementCache(connection: DatabaseSync) {
  const statements = boundedCache<SqliteStatement>(mostCharacters, () => 0);
  return (text: string): SqliteStatement => statements(text, () => prepare(connection, text));
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
    iterate: refuseStream,
  };
}

/** The driver binds numbers as floats, which cost a conversion with every row that they are compared to. */
function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
}

/** By the columns that the results come from; what an expression makes, `columnValues` decodes. */
function decoding(statement: StatementSync<object>, columns: readonly Column[]) {
  const decoders = columns.flatMap(({ name, table, column }) => {
    const type = columnTypes[table ?? '']?.[column ?? ''];
    const decode = type && decoderOf(type);
    return decode === undefined || type === undefined ? [] : [[name, decode, type] as const];
  });
  const isMade = columns.some(({ column }) => column === null);
  const isLarge =
    isMade || decoders.some(([, , { type }]) => type === 'decimal' || type === 'bigint');
  if (decoders.length === 0 && !isLarge) return undefined;
  if (isLarge) statement.setReadBigInts(true);
  return (row: object): object => {
    const values: Record<string, unknown> = { ...row };
    for (const [name, decode] of decoders) {
      if (values[name] !== null) values[name] = decode(values[name]);
    }
    if (!isLarge) return values;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'bigint') values[name] = exactNumber(value);
    }
    return values;
  };
}

/** Beyond 2^53, where a number would round, it stays what it is. */
function exactNumber(value: bigint): number | bigint {
  return BigInt(Number.MAX_SAFE_INTEGER) >= (value < 0n ? -value : value) ? Number(value) : value;
}
