import { z } from 'zod';
import { keyMakers } from '../types/keys.ts';
import { type FieldType, type Json, plainKinds } from '../types/field-type.ts';
import { ruleShape } from './rule.ts';
import { foundColumns } from '../types/found-columns.ts';

// The shape of a field in a snapshot, from which the types of an app are derived. Every default and name is filled in.

export const textShape = z.string();

export const optionalText = textShape.exactOptional();

export const flagShape = z.boolean();

export const jsonShape: z.ZodType<Json> = z.json();

const optionalJson = jsonShape.exactOptional();

export const extensionsShape = z.record(textShape, jsonShape);

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

const boundShape = z.union([z.number(), textShape]);

export const fieldShape = z.strictObject({
  id: textShape,
  name: textShape,
  column: textShape,
  type: fieldType,
  /** The type of a column that another program made. */
  stored: z.enum(foundColumns).exactOptional(),
  nullable: flagShape,
  source: z.enum(['client', 'server']),
  /** Why a field exists, for views that treat built-in fields differently. */
  role: z.enum(['id', 'declared', 'base', 'key', 'created_at', 'updated_at', 'deleted_at']),
  /** For `role: 'key'`: the name of its relation. */
  relation: optionalText,
  default: initial.exactOptional(),
  /** The length of a text, or the value of a number. Bounds of `bigint` and `decimal` are decimal strings. */
  min: boundShape.exactOptional(),
  max: boundShape.exactOptional(),
  pattern: optionalText,
  /** For a key: whether the relation is one-to-one. */
  unique: flagShape,
  /** Accepted when a row is created, refused in updates. */
  immutable: flagShape,
  /** Secret: never in a response, filter, order, selection, log, document or client. */
  hidden: flagShape,
  /** Restrict who reads or writes the value. Absent if the rules of the row decide. */
  read: ruleShape.exactOptional(),
  write: ruleShape.exactOptional(),
  description: optionalText,
  example: optionalJson,
  backfill: optionalJson,
  was: optionalText,
  extensions: extensionsShape,
});
