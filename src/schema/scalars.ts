import type { FieldSchema } from './schema.ts';

/** What a type of the language takes beside its name. */
export interface ScalarFacts {
  /** Lengths that a value of the type can have, for those that have a form. */
  readonly lengths?: { readonly min: number; readonly max: number };
  /** What a range bounds. */
  readonly range?: 'characters' | 'bytes' | 'number';
  readonly pattern?: true;
  readonly unique?: true;
  /** Can stand in an index, a unique group or an order. */
  readonly ordered?: true;
  /** The numbers that the column can hold. */
  readonly holds?: Holds;
  /** The word that stands for a value made when a row is written. */
  readonly word?: 'now' | 'uuid';
}

/** Exact bounds, and how many digits may follow the point. */
export interface Holds {
  readonly min: string;
  readonly max: string;
  readonly scale: number;
}

const text = { range: 'characters', unique: true, ordered: true } as const;
const time = { unique: true, ordered: true, word: 'now' } as const;
const number = { range: 'number', unique: true, ordered: true } as const;

const scalars: Readonly<Record<string, ScalarFacts>> = {
  string: { ...text, pattern: true },
  text: { ...text, pattern: true },
  email: { ...text, lengths: { min: 16, max: 254 } },
  url: { ...text, lengths: { min: 10, max: 2048 } },
  int: { ...number, holds: { min: '-2147483648', max: '2147483647', scale: 0 } },
  bigint: {
    ...number,
    holds: { min: '-9223372036854775808', max: '9223372036854775807', scale: 0 },
  },
  float: number,
  decimal: number,
  bool: { ordered: true },
  date: time,
  time,
  datetime: time,
  uuid: { unique: true, ordered: true, word: 'uuid' },
  json: {},
  bytes: { range: 'bytes' },
};

const enumFacts: ScalarFacts = { ordered: true };

export const scalarNames: readonly string[] = Object.keys(scalars);

/** Undefined for what is neither a type nor an enum. */
export function factsOfType(
  type: string,
  enums: ReadonlyMap<string, unknown>,
): ScalarFacts | undefined {
  if (Object.hasOwn(scalars, type)) return scalars[type];
  return enums.has(type) ? enumFacts : undefined;
}

/** What people write who come from SQL, TypeScript or another generator. */
export const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['integer', 'int'],
  ['int4', 'int'],
  ['int32', 'int'],
  ['smallint', 'int'],
  ['serial', 'int'],
  ['long', 'bigint'],
  ['int8', 'bigint'],
  ['int64', 'bigint'],
  ['number', 'int'],
  ['double', 'float'],
  ['real', 'float'],
  ['numeric', 'decimal(10,2)'],
  ['money', 'decimal(10,2)'],
  ['boolean', 'bool'],
  ['varchar', 'string'],
  ['char', 'string'],
  ['str', 'string'],
  ['longtext', 'text'],
  ['mail', 'email'],
  ['uri', 'url'],
  ['link', 'url'],
  ['timestamp', 'datetime'],
  ['timestamptz', 'datetime'],
  ['guid', 'uuid'],
  ['jsonb', 'json'],
  ['object', 'json'],
  ['any', 'json'],
  ['blob', 'bytes'],
  ['binary', 'bytes'],
  ['bytea', 'bytes'],
  ['password', 'string'],
  ['array', 'json'],
  ['list', 'json'],
  ['map', 'json'],
  ['slug', 'string'],
  ['positiveinteger', 'int'],
  ['biginteger', 'bigint'],
  ['smallinteger', 'int'],
  ['day', 'date'],
  ['instant', 'datetime'],
]);

/** What a number's column can hold; a float holds anything finite. */
export function holdsOf(
  { type, precision, scale }: FieldSchema,
  facts: ScalarFacts,
): Holds | undefined {
  if (type.value !== 'decimal' || precision === undefined || scale === undefined)
    return facts.holds;
  const whole = '9'.repeat(Math.max(0, precision - scale)) || '0';
  const max = scale === 0 ? whole : `${whole}.${'9'.repeat(scale)}`;
  return { min: `-${max}`, max, scale };
}
