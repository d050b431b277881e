import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { canonical, scaled, type TypeName, type ValueType } from './values.ts';

/** What SQLite writes differently. The functions `fold`, `float_text`, `base64` and `in_time` are ours. */

type Sql = Expression<unknown>;

/** The JSON text of a column's value, byte for byte as on the other engine; NULL for NULL. */
export function json(column: Sql, type: ValueType): RawBuilder<string> {
  return (forms[type.type]?.json ?? text)(column, type);
}

/** Joins texts. A chain of `||` would copy everything before each of them. */
export function concatenated(texts: readonly Sql[]): RawBuilder<string> {
  if (texts.length <= maxArguments) return sql`concat(${sql.join(texts)})`;
  const [first, others] = [texts.slice(0, maxArguments - 1), texts.slice(maxArguments - 1)];
  return sql`concat(${sql.join([...first, concatenated(others)])})`;
}

/** SQLite takes at least this many arguments, however it was built. */
const maxArguments = 100;

/** The stored form of a value of the API. */
export function encode(value: unknown, type: ValueType): unknown {
  if (value === null || value === undefined) return null;
  return forms[type.type]?.encode?.(value, type) ?? canonical(value, type);
}

/** Decodes a stored value; one of the API stays as it is, except JSON. `undefined` for types that need no decoding. */
export function decoderOf(type: ValueType): ((value: unknown) => unknown) | undefined {
  const decode = forms[type.type]?.decode;
  return decode && ((value) => decode(value, type));
}

/** How many decimal places a column leaves out: a decimal is stored as an integer of its smallest unit. */
export function hiddenDigits({ type, scale = 0 }: ValueType): number {
  return type === 'decimal' ? scale : 0;
}

export function fold(text: Sql): RawBuilder<string> {
  return sql`fold(${text})`;
}

export function contains(text: Sql, part: Sql): RawBuilder<SqlBool> {
  return sql`instr(${text}, ${part}) > 0`;
}

export function startsWith(text: Sql, part: Sql): RawBuilder<SqlBool> {
  return sql`instr(${text}, ${part}) = 1`;
}

export function endsWith(text: Sql, part: Sql): RawBuilder<SqlBool> {
  return sql`substr(${text}, length(${text}) - length(${part}) + 1) = ${part}`;
}

/** One parameter for a list of any length, so that the statement stays the same. */
export function among(column: Sql, list: Sql): RawBuilder<SqlBool> {
  return sql`${column} in (select value from json_each(${list}))`;
}

/** Compares a column that is a list with the parameter of `among`. */
export function containsAny(column: Sql, list: Sql): RawBuilder<SqlBool> {
  return sql`exists (select 1 from json_each(${list}) where ${among(sql.ref('value'), column)})`;
}

export function containsAll(column: Sql, list: Sql): RawBuilder<SqlBool> {
  return sql`not exists (select 1 from json_each(${list}) where not ${among(sql.ref('value'), column)})`;
}

/** For use inside an `or`. SQLite looks the values up in an index either way. */
export function amongFound(column: Sql, query: Sql): RawBuilder<SqlBool> {
  return sql`${column} in (${query})`;
}

/** That one of the conditions holds, for a walk in order: with the `+`, SQLite does not use an index for it. */
export function walked(conditions: readonly Sql[]): RawBuilder<SqlBool> {
  return sql`+(${sql.join(conditions, sql` or `)})`;
}

/** Rows that are gathered before they are sorted: in SQLite, all that are not walked through. */
export function gathered<Rows>(rows: Rows, _table: string): Rows {
  return rows;
}

interface Limitable {
  limit(most: Expression<number>): this;
}

/** The first rows if the condition holds, else none: SQLite evaluates a limit once, a `where` for each row. */
export function limitedIf<Query extends Limitable>(
  condition: Expression<SqlBool>,
  rows: Query,
  most: Expression<number>,
): Query {
  return rows.limit(sql<number>`iif(${condition}, ${most}, 0)`);
}

/** The parameter of `among`. */
export function encodeList(values: readonly unknown[], type: ValueType): unknown {
  return `[${values.map((value) => jsonValue(encode(value, type))).join(',')}]`;
}

/** Whether an index gives `nulls last`. In SQLite it does downwards, and upwards from its first value on. */
export function scansNullsLast(_key: { readonly descending: boolean }): boolean {
  return true;
}

/** Checks the time at every 64th row, since calling a function of ours takes longer than looking at a row. */
export function inTime(table: string): readonly Sql[] {
  return [sql`((${sql.ref(`${table}.rowid`)} & 63) <> 0 or in_time())`];
}

/** Nothing, like `forKey` and `takeTurn`: a transaction that writes has the database to itself. */
export const forUpdate = sql``;
export const forKey = sql``;

export async function takeTurn(_database: unknown, _name: string): Promise<void> {}

/** How the values of a type are stored, for types that are not stored as plain text. */
interface Form {
  readonly json: (column: Sql, type: ValueType) => RawBuilder<string>;
  readonly encode?: (value: unknown, type: ValueType) => unknown;
  readonly decode?: (value: unknown, type: ValueType) => unknown;
}

const quoted = (text: Sql) => sql<string>`'"' || ${text} || '"'`;
const text = (column: Sql) => sql<string>`json_quote(${column})`;
const plain = (column: Sql) => sql<string>`${column}`;

/** Without spaces, as PostgreSQL prints an array. */
const list: Form = {
  json: plain,
  encode: (value) => JSON.stringify(value),
  decode: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
};

const forms: Readonly<Partial<Record<TypeName, Form>>> = {
  int: { json: plain },
  id: { json: plain },
  bigint: { json: quoted, encode: (value) => BigInt(String(value)), decode: String },
  float: { json: (column) => sql`float_text(${column})` },
  decimal: {
    json: (column, { scale = 0 }) => quoted(decimalText(column, scale)),
    encode: (value, { scale = 0 }) => scaled(String(value), scale),
    decode: (value, { scale = 0 }) =>
      typeof value === 'string' ? value : decimalOf(String(value), scale),
  },
  bool: {
    json: (column) => sql`case ${column} when 1 then 'true' when 0 then 'false' end`,
    decode: (value) => Number(value) === 1,
  },
  json: {
    // Line breaks separate the items of a list: inside JSON, they can only be white space.
    json: (column) => sql`replace(${column}, ${sql.lit('\n')}, ' ')`,
    encode: jsonText,
    decode: (value) => JSON.parse(String(value)),
  },
  'string[]': list,
  'int[]': list,
  bytes: {
    json: (column) => quoted(sql`base64(${column})`),
    encode: (value) => Buffer.from(String(value), 'base64'),
    decode: (value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  },
};

/** A decimal is stored as an integer of its smallest unit: 150 at scale 2 is `1.50`. */
function decimalText(column: Sql, scale: number): Sql {
  if (scale === 0) return column;
  const unit = sql.raw(`1${'0'.repeat(scale)}`);
  const fraction = sql`printf(${sql.raw(`'.%0${scale}d'`)}, abs(${column}) % ${unit})`;
  return sql`iif(${column} < 0, '-', '') || (abs(${column}) / ${unit}) || ${fraction}`;
}

/** `'150'` at scale 2 → `'1.50'` */
function decimalOf(units: string, scale: number): string {
  if (scale === 0) return units;
  const sign = units.startsWith('-') ? '-' : '';
  const digits = units.slice(sign.length).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** As PostgreSQL prints jsonb: keys by length, then by their bytes; a space after `:` and `,`; no exponents. */
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

/** `1.5e-7` → `0.00000015`. JavaScript writes exponents only from 1e21 up and below 1e-6. */
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
