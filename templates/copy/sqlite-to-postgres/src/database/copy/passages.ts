import type { SqliteValue } from '../driver.ts';
import type { Column } from './target-tables.ts';

/** How the values of a column go over, and how they are compared: in the form in which SQLite has stored them. */
export interface Passage {
  /** What PostgreSQL is given. */
  readonly to: (value: SqliteValue) => string | Buffer | null;
  /** SQL of PostgreSQL for the text that SQLite would hold. */
  readonly back: (column: string) => string;
  /** One text for each value, where there are several. */
  readonly canonical: (text: string | null) => string | null;
  /** The same, of what SQLite holds. */
  readonly stored: (value: SqliteValue) => string | null;
}

export function passageOf({ type }: Column): Passage {
  const special = specials.find(([pattern]) => pattern.test(type));
  const canonical = special?.[1].canonical ?? ((text) => text);
  return {
    to: (value) => (value instanceof Uint8Array ? Buffer.from(value) : textOf(value)),
    back: (column) => `${column}::text`,
    stored: (value) => canonical(textOf(value)),
    ...special?.[1],
    ...(type.startsWith('numeric') ? decimal(type) : {}),
    canonical,
  };
}

const specials: readonly (readonly [RegExp, Partial<Omit<Passage, 'stored'>>])[] = [
  [
    /^boolean$/,
    {
      to: (value) => (value === null ? null : String(value !== 0n)),
      back: (column) => `${column}::integer::text`,
    },
  ],
  [
    /^timestamp/,
    { back: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` },
  ],
  [/^time\b/, { back: (column) => `to_char(${column}, 'HH24:MI:SS.MS')` }],
  [/^bytea$/, { back: (column) => `encode(${column}, 'hex')` }],
  [/\[\]$/, { to: arrayOf, back: (column) => `to_json(${column})::text` }],
  // A number has many texts: `1e3` is `1000`.
  [/^double precision$/, { canonical: (text) => (text === null ? null : String(Number(text))) }],
  [/^json/, { canonical: (text) => (text === null ? null : canonicalJson(text)) }],
];

/** SQLite counts decimals in units of their last digit. */
function decimal(type: string): Pick<Passage, 'to' | 'back'> {
  const scale = Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);
  return {
    to: (value) => (typeof value === 'bigint' ? `${value}e-${scale}` : textOf(value)),
    back: (column) => `trunc(${column} * 1e${scale})::text`,
  };
}

/** `["a","b"]` → `{"a","b"}` */
function arrayOf(value: SqliteValue): string | null {
  if (value === null) return null;
  const items: readonly unknown[] = JSON.parse(String(value));
  return `{${items.map((item) => `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}

function textOf(value: SqliteValue): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

function canonicalJson(text: string): string {
  const value: unknown = JSON.parse(text, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : inner,
  );
  return JSON.stringify(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
