import { scalarNames, typicalTypes } from '../types/all.ts';
import type { Json } from '../types/field-type.ts';

/**
 * Every key of the language, once: the reader takes these keys, the schema for editors has their shapes, and the
 * reference in `docs/schema.md` their meaning.
 */
export type Keys = Readonly<Record<string, Key>>;

export interface Key {
  /** A sentence. Links lead to headings of the reference, and are left out elsewhere. */
  readonly about: string;
  /** As JSON Schema has it; where that depends on what a project has named, made from its names. */
  readonly shape: Shape | ((names: Names) => Shape);
  readonly required?: true;
  /** What is so without the key, as the reference has it; the default of the shape unless given. */
  readonly absent?: string;
}

export type Shape = { readonly [key: string]: Json };

/** What a project's schema has named: editors offer it, and still accept what is new. */
export interface Names {
  readonly models: readonly string[];
  readonly enums: readonly string[];
  readonly roles: readonly string[];
  /** Whom rules of this schema can name over its rows: `member`, `via team`. */
  readonly people: readonly string[];
}

export const fieldFlags = ['unique', 'index', 'readonly', 'immutable', 'hidden'] as const;
export const deleteActions = ['restrict', 'cascade', 'set_null'] as const;

const noNames: Names = { models: [], enums: [], roles: [], people: [] };

/** Keys that start with `x-` pass through. */
export const map: Shape = {
  type: 'object',
  additionalProperties: false,
  patternProperties: { '^x-': {} },
};

export const namePattern = '^[A-Za-z][A-Za-z0-9_]*$';

/** In a regular expression. */
const escaped = (name: string) => name.replaceAll(/[[\]]/g, String.raw`\$&`);

/** Enums begin with a capital letter, as models do; types do not. */
export const typeForm = String.raw`(${scalarNames.map(escaped).join('|')}|[A-Z][A-Za-z0-9_]*)\s*(\([^()]*\))?\s*\??`;
const literal = String.raw`("(\\.|[^"\\])*"|'[^']*'|[\[{].*|[^\s"'\[{]\S*)`;
const flags = `(\\s+(${fieldFlags.join('|')}))*`;

/** The short forms. */
export const shortField = String.raw`^\s*${typeForm}(\s*=\s*${literal})?${flags}\s*$`;
export const shortRelation = String.raw`^\s*[A-Z][A-Za-z0-9_]*\s*(\?|\[\s*\])?\s*$`;

export const text: Shape = { type: 'string' };
export const flag: Shape = { type: 'boolean' };
export const off: Shape = { ...flag, default: false };
export const any: Shape = {};
export const list = (items: Json): Shape => ({ type: 'array', items });
export const oneOrMore: Shape = { anyOf: [text, list(text)] };
export const reference = (name: string) => ({ $ref: `#/definitions/${name}` });

/** A map whose keys are names that the user gives. Nothing after the colon is an empty map. */
export const named = (definition: string): Shape => ({
  type: ['object', 'null'],
  propertyNames: { pattern: namePattern },
  additionalProperties: reference(definition),
});

export const typesOf = ({ enums }: Names): readonly string[] => [
  ...scalarNames.map((name) => typicalTypes[name] ?? name),
  ...enums,
];

/** A map with known keys. */
export function mapOf(keys: Keys, names = noNames): Shape {
  const entries = Object.entries(keys);
  const required = entries.filter(([, key]) => key.required).map(([name]) => name);
  return {
    ...map,
    properties: Object.fromEntries(entries.map(([name, key]) => [name, shapeOf(key, names)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function shapeOf({ about, shape }: Key, names: Names): Shape {
  const description = about.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return { description, ...(typeof shape === 'function' ? shape(names) : shape) };
}

export const description: Key = {
  about: 'Reaches the OpenAPI document and the comments of the code.',
  shape: text,
};
