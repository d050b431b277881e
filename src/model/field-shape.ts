import { z } from 'zod';
import { keyMakers } from '../types/keys.ts';
import { type FieldType, type Json, plainKinds } from '../types/field-type.ts';
import { rule } from './rule.ts';
import { foundColumns } from '../types/found-columns.ts';

// The shape of a snapshot, and the source of the types of an app: a schema with every default filled in and every name
// spelled out. Built by `build.ts`; nothing here refers to the text of the file.

export const textShape = z.string();

export const optionalText = textShape.exactOptional();

export const flag = z.boolean();

export const jsonShape: z.ZodType<Json> = z.json();

const optionalJson = jsonShape.exactOptional();

export const extensions = z.record(textShape, jsonShape);

const fieldType: z.ZodType<FieldType> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(plainKinds) }),
  z.strictObject({ kind: z.literal('decimal'), precision: z.int(), scale: z.int() }),
  z.strictObject({ kind: z.literal('enum'), enum: textShape }),
]);

const initial = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('literal'), value: jsonShape }),
  z.strictObject({ kind: z.enum(['now', 'uuid']) }),
  z.strictObject({ kind: z.literal('key'), maker: z.enum(keyMakers), prefix: optionalText }),
]);

const bound = z.union([z.number(), textShape]);

export const fieldShape = z.strictObject({
  id: textShape,
  name: textShape,
  column: textShape,
  type: fieldType,
  /** Set where another program has made the column. */
  stored: z.enum(foundColumns).exactOptional(),
  nullable: flag,
  /** Written by clients, or set by the server alone. */
  source: z.enum(['client', 'server']),
  /** Why a field is there, for views that treat the built-in ones apart. */
  role: z.enum(['id', 'declared', 'base', 'key', 'created_at', 'updated_at', 'deleted_at']),
  /** For `role: 'key'`: the name of its relation. */
  relation: optionalText,
  default: initial.exactOptional(),
  /** Length for text, value for numbers; bounds of `bigint` and `decimal` are decimal strings. */
  min: bound.exactOptional(),
  max: bound.exactOptional(),
  pattern: optionalText,
  unique: flag,
  index: flag,
  /** Accepted on create, refused on update. */
  immutable: flag,
  /** Secret: never in a response, filter, order, field selection, log, document or client. */
  hidden: flag,
  /** Narrow down who sees, or writes, the value; absent for everybody who may do so with the row. */
  read: rule.exactOptional(),
  write: rule.exactOptional(),
  description: optionalText,
  example: optionalJson,
  backfill: optionalJson,
  was: optionalText,
  extensions,
});
