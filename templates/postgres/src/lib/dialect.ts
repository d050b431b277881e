import type { Field, FieldType, Resource } from './resource.ts';
import { bound, literal, raw, sql, type Sql } from './sql/sql.ts';
import { canonical } from './values.ts';

/** What PostgreSQL says in its own way. */

export function placeholder(index: number): string {
  return `$${index}`;
}

/** The JSON text of a column's value, byte for byte what the other engine prints; NULL for NULL. */
export function json(column: Sql, field: Field): Sql {
  return jsonTexts[field.type](column);
}

/** What a column is given for a value of the wire. */
export function encode(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return null;
  return encodings[field.type]?.(value) ?? canonical(value, field);
}

/** Lower case for all of Unicode, whatever the locale of the database. */
export function fold(text: Sql): Sql {
  return sql`lower(${text} collate "und-x-icu")`;
}

export function contains(text: Sql, part: string): Sql {
  return sql`strpos(${text}, ${bound(part)}) > 0`;
}

export function startsWith(text: Sql, part: string): Sql {
  return sql`starts_with(${text}, ${bound(part)})`;
}

export function endsWith(text: Sql, part: string): Sql {
  return sql`right(${text}, ${bound([...part].length)}) = ${bound(part)}`;
}

/** One parameter for a list of any length, so that the statement stays the same. */
export function among(column: Sql, values: readonly unknown[], field: Field): Sql {
  return sql`${column} = any(${bound(values.map((value) => encode(value, field)))})`;
}

/** What the last `analyze` saw, unless that is little or nothing: then counting is cheap. */
export function estimatedCount(resource: Resource, exact: Sql): Sql {
  const table = literal(`"${resource.table}"`);
  const seen = sql`(select reltuples::bigint from pg_class where oid = ${table}::regclass)`;
  return sql`(select case when seen < 10000 then ${exact} else seen end from ${seen} as c(seen))`;
}

export const forUpdate = raw(' for update');

const quoted = (text: Sql) => sql`'"' || ${text} || '"'`;
const text = (column: Sql) => sql`to_json(${column})::text`;
const plain = (column: Sql) => sql`${column}::text`;

const jsonTexts: Readonly<Record<FieldType, (column: Sql) => Sql>> = {
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

const encodings: Partial<Record<FieldType, (value: unknown) => unknown>> = {
  json: (value) => JSON.stringify(value),
  bytes: (value) => Buffer.from(String(value), 'base64'),
};
