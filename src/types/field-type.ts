import type { foundColumns } from './found-columns.ts';

/**
 * Types that consist of a name only. After adding one here, the compiler names the other places. `id` is the 64-bit
 * primary key or a key to one; uuid keys are `uuid`.
 */
export const plainKinds = [
  'string',
  'text',
  'email',
  'url',
  'int',
  'bigint',
  'float',
  'bool',
  'date',
  'time',
  'datetime',
  'uuid',
  'json',
  'bytes',
  'string[]',
  'int[]',
  'id',
] as const;

export type FieldType =
  | { readonly kind: (typeof plainKinds)[number] }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'enum'; readonly enum: string };

export type Kind = FieldType['kind'];

/** Types that a schema names. An enum has a name of its own. */
export type ScalarType = Exclude<Kind, 'enum' | 'id'>;

/** Digits after the decimal point. */
export function scaleOf(type: FieldType): number {
  return type.kind === 'decimal' ? type.scale : 0;
}

/** A type with the rules of a field for its values. */
export interface TypedField {
  readonly type: FieldType;
  /** Bounds of a length or of a value. Those of exact numbers are texts. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly stored?: (typeof foundColumns)[number];
}

/** Why a value does not fit a field. */
export interface ValueFlaw {
  readonly kind: 'type' | 'value';
  readonly reason: string;
  /** What the field holds instead: `a number`. */
  readonly expected?: string;
  readonly help?: string;
}

/** Everything about a type. An absent property means no. */
export interface TypeDefinition extends Readonly<Record<Engine, Storage>> {
  /** Its row in the reference. */
  readonly reference: { readonly written: string; readonly json: string; readonly holds: string };
  /** Its name with options, if it needs them. */
  readonly typical?: string;
  /** Its names in other languages and libraries. */
  readonly foreign?: readonly string[];

  /** What `min` and `max` measure. */
  readonly range?: 'characters' | 'bytes' | 'value';
  /** Whether the API has its numbers as texts of digits, which never pass through a float. */
  readonly exact?: true;
  /** The range of its numbers. */
  readonly limits?: (type: FieldType) => Limits;
  /** `most`: the default maximum length of a text. `least`: the minimum length of any valid value. */
  readonly lengths?: { readonly least: number; readonly most: number };
  /** The length of a value as text, for a column that becomes a text. */
  readonly asText?: { readonly least: number; readonly most: number };
  readonly pattern?: true;
  readonly unique?: true;
  /** Whether it may be part of an index, a unique group or an order. */
  readonly ordered?: 'number' | 'exact' | 'bytes';
  /** Whether lists have filters such as `__gte`. */
  readonly measured?: true;
  /** The word for a value that is made when a row is written, and the code that makes it. */
  readonly made?: { readonly word: 'now' | 'uuid'; readonly code: string };

  /** Reads a value from a short form. Absent if the text is the value. */
  readonly read?: (text: string) => Json;
  readonly flawOf: (value: Json, field: TypedField) => ValueFlaw | undefined;
  /** The canonical form of equivalent values. */
  readonly canonical?: (value: Json, type: FieldType) => Json;

  /** The TypeScript type in the API, and the constructor of the schema. */
  readonly typescript: string;
  readonly call: string;
  /** Printed arguments of the constructor, which distinguish two fields of the type. */
  readonly details?: (type: FieldType) => Readonly<Record<string, string>>;
  /** Whether the database stores another form than the API returns, or one of several forms. */
  readonly encoded?: true;

  /** Types in a family store values in the same form. */
  readonly family: Family;
  /** A renamed field may change between types of the same sort. By default, it is the family. */
  readonly sort?: string;

  readonly sample: (field: TypedField) => Json;
  /** Different valid values, the most believable first. Absent if they depend on more than the type. */
  readonly examples?: (field: TypedField) => readonly Json[];
  /** A value of another type. */
  readonly wrong: Json;
}

/** Exact bounds, and the maximum number of digits after the decimal point. */
export interface Limits {
  readonly min: string;
  readonly max: string;
  readonly scale: number;
  /** Whether the columns of every engine enforce these bounds. */
  readonly isColumn?: true;
}

type Family =
  'integer' | Exclude<Kind, 'string' | 'email' | 'url' | 'enum' | 'int' | 'bigint' | 'id'>;

/** How an engine stores the values. */
export interface Storage {
  readonly column: (field: TypedField) => string;
  readonly literal: (value: Json) => string;
  /** Whether the literal is an expression, which SQLite does not accept as the default of an added column. */
  readonly isExpression?: (value: Json) => boolean;
  /** SQL that is true for a valid stored value, if the column does not enforce it. */
  readonly shape?: Sql;
  /** A remark for readers of the table. */
  readonly note?: (type: FieldType) => string | undefined;
  /** The SQL of `made` for existing rows. */
  readonly made?: string;
  /** Conversions from and to other families. A type has those for families that are older than itself. */
  readonly from?: Readonly<Partial<Record<Family, ConvertSql>>>;
  readonly to?: Readonly<Partial<Record<Family, ConvertSql>>>;
}

export type Sql = (value: string) => string;

export type ConvertSql = (types: { before: FieldType; after: FieldType }) => Conversion;

/** A conversion between types. Each function takes the SQL of the old value. */
export interface Conversion {
  readonly value: Sql;
  /** SQL that is true for a value that the new type cannot hold. For others, `value` is safe to evaluate. */
  readonly failureSql?: Sql;
  /** SQL that is true for a value that is cut or rounded. */
  readonly lossSql?: Sql;
}

export const engines = ['sqlite', 'postgres'] as const;

export type Engine = (typeof engines)[number];

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Sorts the keys of all objects, so that equal values have equal texts. */
export function sortKeys(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
