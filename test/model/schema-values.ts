import type {
  EnumSchema,
  FieldSchema,
  Located,
  ModelSchema,
  RelationSchema,
  Schema,
} from '../../src/schema/schema.ts';

/** Schema values written by hand, as the parser would give them. */

export function at<T>(value: T): Located<T> {
  return { value, at: { line: 1, column: 1, length: 1 } };
}

export function schemaOf(models: readonly ModelSchema[], rest: Partial<Schema> = {}): Schema {
  return { app: { name: at('garden') }, roles: [], enums: [], extensions: {}, models, ...rest };
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
    extensions: {},
    ...rest,
  };
}

export function field(name: string, type: string, rest: Partial<FieldSchema> = {}): FieldSchema {
  return { name: at(name), type: at(type), optional: false, extensions: {}, ...rest };
}

export function relation(
  name: string,
  to: string,
  rest: Partial<RelationSchema> = {},
): RelationSchema {
  return { name: at(name), to: at(to), optional: false, many: false, extensions: {}, ...rest };
}

export function enumOf(name: string, ...values: readonly string[]): EnumSchema {
  return { name: at(name), values: values.map((value) => ({ value: at(value) })) };
}
