import type { Field, FieldType, Resource } from './resource.ts';
import { bound, raw, sql, type Sql } from './sql/sql.ts';
import { canonical, scaled } from './values.ts';

/** What SQLite says in its own way. The functions `fold`, `float_text` and `base64` are ours. */

/** The `+` changes no value. After an `analyze`, a bare `?` in a comparison has its statement planned anew for every value. */
export function placeholder(_index: number): string {
  return '+?';
}

/** The JSON text of a column's value, byte for byte what the other engine prints; NULL for NULL. */
export function json(column: Sql, field: Field): Sql {
  return jsonTexts[field.type](column, field);
}

/** What a column is given for a value of the wire. */
export function encode(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return null;
  return encodings[field.type]?.(value, field) ?? canonical(value, field);
}

export function fold(text: Sql): Sql {
  return sql`fold(${text})`;
}

export function contains(text: Sql, part: string): Sql {
  return sql`instr(${text}, ${bound(part)}) > 0`;
}

export function startsWith(text: Sql, part: string): Sql {
  return sql`instr(${text}, ${bound(part)}) = 1`;
}

export function endsWith(text: Sql, part: string): Sql {
  return sql`substr(${text}, length(${text}) - ${bound([...part].length)} + 1) = ${bound(part)}`;
}

/** One parameter for a list of any length, so that the statement stays the same. */
export function among(column: Sql, values: readonly unknown[], field: Field): Sql {
  const list = `[${values.map((value) => jsonValue(encode(value, field))).join(',')}]`;
  return sql`${column} in (select value from json_each(${bound(list)}))`;
}

/** SQLite counts fast enough. */
export function estimatedCount(_resource: Resource, exact: Sql): Sql {
  return exact;
}

/** Nothing: a transaction that writes has the database to itself. */
export const forUpdate = raw('');

const quoted = (text: Sql) => sql`'"' || ${text} || '"'`;
const text = (column: Sql) => sql`json_quote(${column})`;
const plain = (column: Sql) => column;

const jsonTexts: Readonly<Record<FieldType, (column: Sql, field: Field) => Sql>> = {
  string: text,
  text,
  email: text,
  url: text,
  enum: text,
  int: plain,
  id: plain,
  bigint: quoted,
  float: (column) => sql`float_text(${column})`,
  decimal: (column, field) => quoted(decimalText(column, field)),
  bool: (column) => sql`case ${column} when 1 then 'true' when 0 then 'false' end`,
  date: quoted,
  time: quoted,
  datetime: quoted,
  uuid: quoted,
  json: plain,
  bytes: (column) => quoted(sql`base64(${column})`),
};

const encodings: Partial<Record<FieldType, (value: unknown, field: Field) => unknown>> = {
  // The driver binds a number as a float, which costs a conversion with every row that it is compared to.
  int: (value) => BigInt(Number(value)),
  id: (value) => BigInt(Number(value)),
  bool: (value) => (value === true ? 1n : 0n),
  bigint: (value) => BigInt(String(value)),
  decimal: (value, field) => scaled(String(value), field.scale ?? 0),
  json: jsonText,
  bytes: (value) => Buffer.from(String(value), 'base64'),
};

/** A decimal is kept as an integer of its smallest unit: 150 at scale 2 is `1.50`. */
function decimalText(column: Sql, { scale = 0 }: Field): Sql {
  if (scale === 0) return column;
  const unit = raw(`1${'0'.repeat(scale)}`);
  const fraction = sql`printf(${raw(`'.%0${scale}d'`)}, abs(${column}) % ${unit})`;
  return sql`iif(${column} < 0, '-', '') || (abs(${column}) / ${unit}) || ${fraction}`;
}

/** As PostgreSQL prints a jsonb: keys by length, then by their bytes; a space after `:` and `,`; no exponents. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .map(([key, part]) => ({
      key: Buffer.from(key),
      text: `${JSON.stringify(key)}: ${jsonText(part)}`,
    }))
    .toSorted((a, b) => a.key.length - b.key.length || a.key.compare(b.key));
  return `{${members.map((member) => member.text).join(', ')}}`;
}

/** `1.5e-7` → `0.00000015`. JavaScript writes exponents from 1e21 up and below 1e-6 alone. */
function plainNumber(value: number): string {
  const [, minus = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d)(?:\.(\d+))?e(.+)$/.exec(JSON.stringify(value)) ?? [];
  if (exponent === undefined) return JSON.stringify(value);
  const places = Number(exponent);
  return places > 0
    ? `${minus}${whole}${fraction.padEnd(places, '0')}`
    : `${minus}0.${'0'.repeat(-places - 1)}${whole}${fraction}`;
}

/** JSON.stringify refuses a BigInt. */
function jsonValue(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
