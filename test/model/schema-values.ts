import { nothingBesides } from '../../src/schema/key.ts';
import type { EnumSchema } from '../../src/schema/keys/enum.ts';
import type { FieldSchema } from '../../src/schema/keys/field.ts';
import type { ModelSchema } from '../../src/schema/keys/model.ts';
import type { RelationSchema } from '../../src/schema/keys/relation.ts';
import type { Schema } from '../../src/schema/keys/top.ts';
import type { Located } from '../../src/schema/language.ts';

/** Schema values written by hand, as the parser would give them. */

export function at<T>(value: T): Located<T> {
  return { value, at: { line: 1, column: 1, length: 1 } };
}

export function schemaOf(models: readonly ModelSchema[], rest: Partial<Schema> = {}): Schema {
  return { app: { name: at('garden') }, enums: [], ...nothingBesides, models, ...rest };
}

export function model(name: string, rest: Partial<ModelSchema> = {}): ModelSchema {
  return {
    name: at(name),
    fields: [],
    relations: [],
    unique: [],
    indexes: [],
    checks: [],
    access: {},
    members: [],
    ...nothingBesides,
    ...rest,
  };
}

export function field(name: string, type: string, rest: Partial<FieldSchema> = {}): FieldSchema {
  return { name: at(name), type: at(type), optional: false, ...nothingBesides, ...rest };
}

export function relation(
  name: string,
  to: string,
  rest: Partial<RelationSchema> = {},
): RelationSchema {
  return { name: at(name), to: at(to), optional: false, many: false, ...nothingBesides, ...rest };
}

export function enumOf(name: string, ...values: readonly string[]): EnumSchema {
  return { name: at(name), values: values.map((value) => ({ value: at(value) })) };
}
