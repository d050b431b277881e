import type { foundColumns } from './found-columns.ts';

/**
 * The types that are no more than a name. Add a new one here; then `all.ts` needs a file for it, and the compiler names
 * the rest. `id` is the 64-bit primary key, or a key to one; uuid keys are plain `uuid`.
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

/** The types that a schema names; an enum is named by its own name. */
export type ScalarType = Exclude<Kind, 'enum' | 'id'>;

/** Digits after the point. */
export function scaleOf(type: FieldType): number {
  return type.kind === 'decimal' ? type.scale : 0;
}

/** A type, with a field's rules for its values. */
export interface TypedField {
  readonly type: FieldType;
  /** Length for text, value for numbers; those of exact numbers are texts. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly stored?: (typeof foundColumns)[number];
}

/** The reason why a value does not fit a field. */
export interface ValueFlaw {
  readonly kind: 'type' | 'value';
  readonly reason: string;
  readonly help?: string;
}

/** Everything about a type. An absent property means no. */
export interface TypeDefinition extends Readonly<Record<Engine, Storage>> {
  /** Its row in the reference. */
  readonly reference: { readonly written: string; readonly json: string; readonly holds: string };
  /** Its names in other languages and libraries. */
  readonly foreign?: readonly string[];

  /** The measure of `min` and `max`. */
  readonly range?: 'characters' | 'bytes' | 'value';
  /** Travels as digits in a text: its numbers never pass through a float. */
  readonly exact?: true;
  /** The range of its numbers. */
  readonly limits?: (type: FieldType) => Limits;
  /** The default greatest length of a text of the type, and the least that can hold a value. */
  readonly lengths?: { readonly least: number; readonly most: number };
  /** The length of a value as a text, for a column of texts that takes it over. */
  readonly asText?: { readonly least: number; readonly most: number };
  readonly pattern?: true;
  readonly unique?: true;
  /** Can stand in an index, a unique group or an order. */
  readonly ordered?: 'number' | 'exact' | 'bytes';
  /** Has `__gte` and its like. */
  readonly measured?: true;
  /** The word that stands for a value made when a row is written, and the code that makes it. */
  readonly made?: { readonly word: 'now' | 'uuid'; readonly code: string };

  /** A default in a short form: the text itself where this is absent. */
  readonly read?: (text: string) => Json;
  readonly misfit: (value: Json, field: TypedField) => ValueFlaw | undefined;
  /** The canonical form of equivalent values. */
  readonly canonical?: (value: Json, type: FieldType) => Json;

  /** The value on the wire in TypeScript, and the constructor of its schema. */
  readonly typescript: string;
  readonly call: string;
  /** Properties that distinguish two fields of the type, printed: arguments of the constructor. */
  readonly details?: (type: FieldType) => Readonly<Record<string, string>>;
  /** The database keeps another form than the API shows, or one form of several. */
  readonly encoded?: true;

  /** Types whose values are the same in the database have one family. */
  readonly family: Family;
  /** Types that a renamed field may change between: what they hold is of one sort. */
  readonly sort: string;

  readonly sample: (field: TypedField) => Json;
  /** Different legal values, the most believable first; absent where they depend on more than the type. */
  readonly examples?: (field: TypedField) => readonly Json[];
  /** A value that is not one of the type. */
  readonly wrong: Json;
}

/** Exact bounds, and how many digits may follow the point. */
export interface Limits {
  readonly min: string;
  readonly max: string;
  readonly scale: number;
  /** The bounds of the columns on every engine. */
  readonly isColumn?: true;
}

type Family =
  'integer' | Exclude<Kind, 'string' | 'email' | 'url' | 'enum' | 'int' | 'bigint' | 'id'>;

/** One engine's way to keep the values. */
export interface Storage {
  readonly column: (field: TypedField) => string;
  readonly literal: (value: Json) => string;
  /** Whether the literal is an expression: SQLite adds no column that has one as its default. */
  readonly isExpression?: (value: Json) => boolean;
  /** The required form of a stored value, if the column's type does not enforce it. */
  readonly shape?: Sql;
  /** A remark for readers of the table who would not guess it. */
  readonly note?: (type: FieldType) => string | undefined;
  /** The SQL of `made` for rows that exist already. */
  readonly made?: string;
  /** Conversions from and to older families; a type knows those that it was made after. */
  readonly from?: Readonly<Partial<Record<Family, ConvertSql>>>;
  readonly to?: Readonly<Partial<Record<Family, ConvertSql>>>;
}

export type Sql = (value: string) => string;

export type ConvertSql = (types: { before: FieldType; after: FieldType }) => Conversion;

/** The conversion from one type to another; each function takes the SQL of the old value. */
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

/** The keys of every object in order: the same text for the same value. */
export function sortKeys(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
