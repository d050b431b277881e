import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { DatabaseError } from 'pg';
import { Busy } from './queue.ts';
import { canonical, type TypeName, type ValueType } from './values.ts';

/** What PostgreSQL says in its own way. */

type Sql = Expression<unknown>;

/** The JSON text of a column's value, byte for byte what the other engine prints; NULL for NULL. */
export function json(column: Sql, { type }: ValueType): RawBuilder<string> {
  return (jsonTexts[type] ?? text)(column);
}

/** The texts one after another. */
export function concatenated(texts: readonly Sql[]): RawBuilder<string> {
  return sql`${sql.join(texts, sql` || `)}`;
}

/** What is stored for a value of the API. */
export function encode(value: unknown, type: ValueType): unknown {
  if (value === null || value === undefined) return null;
  return encodings[type.type]?.(value) ?? canonical(value, type);
}

/** The value of the API for what an expression makes; `undefined` for types whose values come as they are. */
export function decoderOf({ type }: ValueType): ((value: unknown) => unknown) | undefined {
  return type === 'bigint' ? String : undefined;
}

/** Columns keep numbers as they are. */
export function hiddenDigits(_type: ValueType): number {
  return 0;
}

/** Lower case for all of Unicode, whatever the locale of the database. */
export function fold(text: Sql): RawBuilder<string> {
  return sql`lower(${text} collate "und-x-icu")`;
}

export function contains(text: Sql, part: Sql): RawBuilder<SqlBool> {
  return sql`strpos(${text}, ${part}) > 0`;
}

export function startsWith(text: Sql, part: Sql): RawBuilder<SqlBool> {
  return sql`starts_with(${text}, ${part})`;
}

export function endsWith(text: Sql, part: Sql): RawBuilder<SqlBool> {
  return sql`right(${text}, length(${part}::text)) = ${part}`;
}

/** One parameter for a list of any length, so that the statement stays the same. */
export function among(column: Sql, list: Sql): RawBuilder<SqlBool> {
  return sql`${column} = any(${list})`;
}

/** Beside an `or`, where PostgreSQL would ask every row of the table whether `in (select …)` holds: an array is looked up in an index. */
export function amongFound(column: Sql, query: Sql): RawBuilder<SqlBool> {
  return sql`${column} = any(array(${query}))`;
}

/** The parameter of `among`. */
export function encodeList(values: readonly unknown[], type: ValueType): unknown {
  return values.map((value) => encode(value, type));
}

/** What the last `analyze` saw, unless that is little or nothing: then counting is cheap. */
export function estimatedCount(table: string, exact: Sql): Sql {
  const seen = sql`(select reltuples::bigint from pg_class where oid = ${sql.lit(`"${table}"`)}::regclass)`;
  return sql`(select case when seen < 10000 then ${exact} else seen end from ${seen} as c(seen))`;
}

/** Whether an index answers `nulls last`. PostgreSQL has its nulls behind the last value, so downwards they come first. */
export function scansNullsLast({ descending }: { readonly descending: boolean }): boolean {
  return !descending;
}

/** Nothing: PostgreSQL ends by itself what takes too long. */
export function inTime(_table: string): readonly Sql[] {
  return [];
}

export const forUpdate = sql` for update`;

const quoted = (text: Sql) => sql<string>`'"' || ${text} || '"'`;
const text = (column: Sql) => sql<string>`to_json(${column})::text`;
const plain = (column: Sql) => sql<string>`${column}::text`;

/** Where a text would not do. */
const jsonTexts: Readonly<Partial<Record<TypeName, (column: Sql) => RawBuilder<string>>>> = {
  int: plain,
  id: plain,
  bigint: quoted,
  float: plain,
  decimal: quoted,
  bool: plain,
  time: (column) => quoted(sql`to_char(${column}, 'HH24:MI:SS.MS')`),
  datetime: (column) =>
    quoted(sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
  uuid: quoted,
  json: plain,
  bytes: (column) => quoted(sql`translate(encode(${column}, 'base64'), chr(10), '')`),
};

const encodings: Partial<Record<TypeName, (value: unknown) => unknown>> = {
  json: (value) => JSON.stringify(value),
  bytes: (value) => Buffer.from(String(value), 'base64'),
};

/** Why the database refused, as far as an answer can tell it. */
export type Violation =
  | { readonly kind: 'unique'; readonly constraint?: string; readonly columns?: readonly string[] }
  | { readonly kind: 'foreign_key' | 'too_large' | 'unavailable' };

/** `undefined` for what is nobody's fault but ours. */
export function violation(error: unknown): Violation | undefined {
  if (error instanceof Busy) return { kind: 'unavailable' };
  if (isLostConnection(error)) return { kind: 'unavailable' };
  if (!(error instanceof DatabaseError)) return undefined;
  const { code = '', constraint } = error;
  if (code === '23505') return { kind: 'unique', ...(constraint !== undefined && { constraint }) };
  if (code === '23503' || code === '23001') return { kind: 'foreign_key' };
  if (code === '54000') return { kind: 'too_large' };
  // What is fatal has ended the connection.
  const isAway = error.severity === 'FATAL' || unavailableCodes.test(code);
  return isAway ? { kind: 'unavailable' } : undefined;
}

export function isMissingTable(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '42P01';
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: connection lost, server full, out of disk, shutting
 * down, a standby that cannot write, deadlocks that outlived their retries, locks and statements that took too long; a
 * role that may not do it.
 */
const unavailableCodes = /^(08|53|57P|58)|^(25006|25P03|40001|40P01|42501|55P03|57014)$/;

/** Errors of the socket carry a code of the system's; those of a client and of the pool carry none. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return lostSockets.has(error.code);
  return lostConnections.test(error.message);
}

const lostSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

const lostConnections =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** A deadlock or a serialization conflict: nothing was committed. */
export function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}
