import type { QueryResult } from 'kysely';
import { boundedCache } from './cache.ts';
import { decoderOf } from './dialect.ts';
import type { Column, DatabaseSync, StatementSync } from './file.ts';
import { columnTypes } from './tables.ts';

/** A prepared statement takes SQLite some thirty times the memory of its text. */
const maxCharacters = 1_000_000;

type Run = (values: readonly unknown[]) => QueryResult<unknown>;

/** Runs statements with JavaScript values, and returns those of the API; prepares each text once. */
export function statementRunner(connection: () => DatabaseSync) {
  const statements = boundedCache<Run>(maxCharacters);
  return <Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> => {
    const run = statements(text, () => prepare(connection(), text));
    const { rows, ...others } = run(parameters.map(bound));
    // The author of the statement knows the type of its rows.
    return { ...others, rows: Object(rows) };
  };
}

function prepare(connection: DatabaseSync, text: string): Run {
  const statement = connection.prepare<object>(text);
  const columns = statement.columns();
  if (columns.length > 0) {
    const decode = decoding(statement, columns);
    return (values) => {
      const rows = statement.all(...values);
      return { rows: decode === undefined ? rows : rows.map(decode) };
    };
  }
  return (values) => {
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
}

/** The driver binds numbers as floats, which cost a conversion for every row that they are compared with. */
function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value;
}

/** Decoders by the columns of the result; `columnValues` decodes the results of expressions. */
function decoding(statement: StatementSync<object>, columns: readonly Column[]) {
  const types = columns.map(({ table, column }) => columnTypes[table ?? '']?.[column ?? '']);
  const decoders = columns.flatMap(({ name }, at) => {
    const decode = types[at] && decoderOf(types[at]);
    return decode === undefined ? [] : [[name, decode] as const];
  });
  const isLarge =
    columns.some(({ column }) => column === null) ||
    types.some((type) => type?.type === 'decimal' || type?.type === 'bigint');
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

/** Beyond 2^53, where a number would be rounded, it stays as it is. */
function exactNumber(value: bigint): number | bigint {
  return BigInt(Number.MAX_SAFE_INTEGER) >= (value < 0n ? -value : value) ? Number(value) : value;
}
