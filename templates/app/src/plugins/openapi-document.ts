import { asSent } from '../lib/operations/as-sent.ts';
import { exampleOf } from './openapi-example.ts';
import { wholeRow } from '../lib/operations/answers.ts';

type Schemas = Record<string, object>;

/**
 * The same document, where a schema that has a title stands once, among the components, and fields that are secret
 * (`writeOnly`) are left out: who may write them knows of them.
 */
export function tidyDocument<T extends { readonly components?: object }>(document: T): T {
  const schemas: Schemas = {};
  // A reviver sees what is inside before it sees what is around.
  const tidy = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    // What stands in the document for a schema without a description.
    if (value === 'Default Response') return 'Success.';
    if (!isObject(value)) return value;
    const { [asSent]: _, ...schema } = { [asSent]: true, ...withoutSecrets(value) };
    return wholeOrPart(
      key === 'schema' || 'title' in schema ? withExample(schema) : schema,
      schemas,
    );
  });
  return { ...tidy, components: { ...tidy.components, schemas } };
}

/** The answer of a row is the whole row, or what a client has selected of it. */
function wholeOrPart(schema: object, schemas: Schemas): object {
  if (!(wholeRow in schema)) return withoutTwins(schema, schemas);
  const { [wholeRow]: whole, ...part } = schema;
  return { anyOf: [whole, withoutTwins(part, schemas)] };
}

/** A reference to the schema, unless another one has its title. */
function withoutTwins(schema: object, schemas: Schemas): object {
  const { title, type } = { title: undefined, type: undefined, ...schema };
  if (typeof title !== 'string' || type !== 'object') return schema;
  const first = (schemas[title] ??= schema);
  if (JSON.stringify(first) !== JSON.stringify(schema)) return schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** Of a shape with names of its own, unless it has one already. */
function withExample(schema: object): object {
  const { properties, required, examples, additionalProperties }: Described = schema;
  if (properties === undefined || examples || isObject(additionalProperties)) return schema;
  const example = exampleOf({ properties, ...(required && { required }) });
  return example === undefined ? schema : { ...schema, examples: [example] };
}

interface Described {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly additionalProperties?: unknown;
}

function withoutSecrets(schema: object): object {
  if (!('properties' in schema) || !isObject(schema.properties)) return schema;
  const all = Object.entries(schema.properties);
  const secret = all.filter(([, property]) => isSecret(property)).map(([name]) => name);
  if (secret.length === 0) return schema;
  const isOpen = (name: unknown) => !secret.includes(String(name));
  const required = 'required' in schema ? [schema.required].flat().filter(isOpen) : [];
  const properties = Object.fromEntries(all.filter(([name]) => isOpen(name)));
  return { ...schema, properties, required };
}

function isSecret(property: unknown): boolean {
  return isObject(property) && 'writeOnly' in property && property.writeOnly === true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
