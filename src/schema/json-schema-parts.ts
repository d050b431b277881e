import type { Json } from './schema.ts';

export type JsonObject = { readonly [key: string]: Json };

/** What a project's schema has named: editors offer it, and still accept what is new. */
export interface Names {
  readonly models: readonly string[];
  readonly enums: readonly string[];
  readonly roles: readonly string[];
}

const namePattern = '^[A-Za-z][A-Za-z0-9_]*$';

export function text(description: string): JsonObject {
  return { description, type: 'string' };
}

export function flag(description: string): JsonObject {
  return { description, type: 'boolean' };
}

export function any(description: string): JsonObject {
  return { description };
}

/** A map with known keys, and `x-` keys that pass through. */
export function map(shape: {
  readonly keys: JsonObject;
  readonly required?: readonly string[];
  readonly description?: string;
}): JsonObject {
  const { keys, required = [], description } = shape;
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    properties: keys,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** A map whose keys are names that the user gives. Nothing after the colon is an empty map. */
export function named(description: string, reference: string): JsonObject {
  return {
    description,
    type: ['object', 'null'],
    propertyNames: { pattern: namePattern },
    additionalProperties: { $ref: reference },
  };
}
