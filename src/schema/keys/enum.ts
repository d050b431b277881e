import { type Keys, mapShape, readMap, type Shape } from '../key.ts';
import { asProse, asText } from '../kinds.ts';
import type { Located } from '../language.ts';
import { readEntries, isNullNode, readList, readWord } from '../shape.ts';
import type { MapEntry, SchemaNode } from '../source.ts';
import { scopeInside, type Scope } from '../scope.ts';

const valueKeys = {
  description: { about: 'What the value means.', ...asProse },
  was: { about: 'Former value: a rename.', ...asText() },
} as const satisfies Keys;

/** In a list, a value has a key for its name, which is the key itself in a map. */
const listedValueKeys = {
  value: {
    about: 'The value, as stored and sent.',
    ...asText({ minLength: 1 }),
    required: 'add one, like `value: draft`',
  },
  ...valueKeys,
} as const satisfies Keys;

const describeShape = ({ about, shape }: { readonly about: string; readonly shape: Shape }) => ({
  description: about,
  ...shape,
});

export const enumShape: Shape = {
  description: 'A list of values, or a map of value to description.',
  anyOf: [
    {
      type: 'array',
      minItems: 1,
      items: { anyOf: [describeShape(listedValueKeys.value), mapShape(listedValueKeys)] },
    },
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        anyOf: [describeShape(valueKeys.description), { type: 'null' }, mapShape(valueKeys)],
      },
    },
  ],
};

export type EnumSchema = ReturnType<typeof shapeEnum>;

/** Reads a list of values, or a map of values and descriptions. */
export function shapeEnum({ name, key, value }: MapEntry, scope: Scope) {
  const inner = scopeInside(scope, name);
  const inMap = value.kind === 'map' ? readEntries(value, inner) : [];
  const listed = value.kind === 'map' ? [] : readList(value, inner);
  if (inMap.length + listed.length === 0 && (value.kind !== 'scalar' || isNullNode(value))) {
    const message = `the enum ${name} has no values`;
    const help = `list them: \`${name}: [first, second]\``;
    inner.report({ code: 'SCF217', at: key.at, message, help });
  }
  return {
    name: { value: name, at: key.at },
    values: [
      ...inMap.map((item) => describedValue(item, inner)),
      ...listed.flatMap((item) => listedValue(item, scopeInside(inner, 'value'))),
    ],
  };
}

interface EnumValueSchema {
  readonly value: Located<string>;
  readonly description?: string;
  readonly was?: Located<string>;
}

function describedValue({ name, key, value: node }: MapEntry, scope: Scope): EnumValueSchema {
  const inner = scopeInside(scope, name);
  const value = { value: name, at: key.at };
  if (node.kind === 'map') return { value, ...readMap(node, valueKeys, inner) };
  const description = isNullNode(node) ? undefined : asProse.read(node, inner);
  return description === undefined ? { value } : { value, description };
}

function listedValue(node: SchemaNode, scope: Scope): readonly EnumValueSchema[] {
  if (node.kind !== 'map') {
    const value = readWord(node, scope) ?? misread(node);
    return value === undefined ? [] : [{ value }];
  }
  const { value, ...rest } = readMap(node, listedValueKeys, scope);
  return value === undefined ? [] : [{ value, ...rest }];
}

/** Accepts a number or a boolean as the name of a value, so that only that is reported. */
function misread(node: SchemaNode): Located<string> | undefined {
  return node.kind === 'scalar' && !isNullNode(node)
    ? { value: node.source, at: node.at }
    : undefined;
}
