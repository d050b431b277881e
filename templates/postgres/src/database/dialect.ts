import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import type { Tables } from './tables.ts';
import { canonical, type TypeName, type ValueType } from './values.ts';

/** What PostgreSQL writes differently. */

type Sql = Expression<unknown>;

/** The JSON text of a column's value, byte for byte as on the other engine; NULL for NULL. */
export function json(column: Sql, { type }: ValueType): RawBuilder<string> {
  return (jsonTexts[type] ?? text)(column);
}

/** Joins texts. */
export function concatenated(texts: readonly Sql[]): RawBuilder<string> {
  return sql`${sql.join(texts, sql` || `)}`;
}

/** The stored form of a value of the API. */
export function encode(value: unknown, type: ValueType): unknown {
  if (value === null || value === undefined) return null;
  return encodings[type.type]?.(value) ?? canonical(value, type);
}

/** Decodes the result of an expression; `undefined` for types that need no decoding. */
export function decoderOf({ type }: ValueType): ((value: unknown) => unknown) | undefined {
  return type === 'bigint' ? String : undefined;
}

/** Columns store numbers as they are. */
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

/** Compares a column that is a list with the parameter of `among`. */
export function containsAny(column: Sql, list: Sql): RawBuilder<SqlBool> {
  return sql`${column} && ${list}`;
}

export function containsAll(column: Sql, list: Sql): RawBuilder<SqlBool> {
  return sql`${column} @> ${list}`;
}

/** For use inside an `or`: an array is looked up in an index, where `in (select …)` would be checked for every row. */
export function amongFound(column: Sql, query: Sql): RawBuilder<SqlBool> {
  return sql`${column} = any(array(${query}))`;
}

/** The condition for a walk in order: with `is true`, PostgreSQL does not use an index for it. */
export function walked(condition: Sql): RawBuilder<SqlBool> {
  return sql`${condition} is true`;
}

/** Rows that are gathered before they are sorted: `offset` keeps PostgreSQL from doing both at once. */
export function gathered<Joined extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Joined, object>,
  table: keyof Tables,
): SelectQueryBuilder<Tables, Joined, object>;
export function gathered(
  rows: SelectQueryBuilder<Tables, keyof Tables, object>,
  table: keyof Tables,
) {
  const found = rows
    .selectAll(table)
    .offset(sql<number>`0`)
    .as(table);
  return expressionBuilder<Tables, never>().selectFrom(found);
}

interface Limitable {
  limit(most: Expression<number>): this;
  where(condition: Expression<SqlBool>): this;
}

/** The first rows if the condition holds, else none. A limit that PostgreSQL cannot see would lead to another plan. */
export function limitedIf<Query extends Limitable>(
  condition: Expression<SqlBool>,
  rows: Query,
  most: Expression<number>,
): Query {
  return rows.where(condition).limit(most);
}

/** The parameter of `among`. */
export function encodeList(values: readonly unknown[], type: ValueType): unknown {
  return values.map((value) => encode(value, type));
}

/** Whether an index gives `nulls last`. PostgreSQL has nulls after the last value, so downwards they come first. */
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

/** The types that need more than text. */
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
