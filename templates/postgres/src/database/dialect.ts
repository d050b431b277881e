import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { canonical, type TypeName, type ValueType } from './values.ts';

/** What PostgreSQL says in its own way. */

type Sql = Expression<unknown>;

/** The JSON text of a column's value, byte for byte what the other engine prints; NULL for NULL. */
export function json(column: Sql, { type }: ValueType): RawBuilder<string> {
  return jsonTexts[type](column);
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

/** The parameter of `among`. */
export function encodeList(values: readonly unknown[], type: ValueType): unknown {
  return values.map((value) => encode(value, type));
}

/** What the last `analyze` saw, unless that is little or nothing: then counting is cheap. */
export function estimatedCount(table: string, exact: Sql): Sql {
  const seen = sql`(select reltuples::bigint from pg_class where oid = ${sql.lit(`"${table}"`)}::regclass)`;
  return sql`(select case when seen < 10000 then ${exact} else seen end from ${seen} as c(seen))`;
}

/** Nothing says whether a table has changed. */
export const dataVersion: Sql | undefined = undefined;

export const forUpdate = sql` for update`;

const quoted = (text: Sql) => sql<string>`'"' || ${text} || '"'`;
const text = (column: Sql) => sql<string>`to_json(${column})::text`;
const plain = (column: Sql) => sql<string>`${column}::text`;

const jsonTexts: Readonly<Record<TypeName, (column: Sql) => RawBuilder<string>>> = {
  string: text,
  text,
  email: text,
  url: text,
  enum: text,
  int: plain,
  id: plain,
  bigint: quoted,
  float: plain,
  decimal: quoted,
  bool: plain,
  date: text,
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
