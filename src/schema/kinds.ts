import { scalarNames, typicalType } from '../types/all.ts';
import type { Json } from '../types/field-type.ts';
import {
  type Keys,
  mapShape,
  type SchemaNames,
  readMap,
  type Shape,
  keyShape,
  type KeyValues,
} from './key.ts';
import { choiceReader, readEntries, readFlag, type Reader, readWord } from './shape.ts';

export const stringShape: Shape = { type: 'string' };
export const listShape = (items: Json): Shape => ({ type: 'array', items });
export const referenceShape = (name: string) => ({ $ref: `#/definitions/${name}` });

export const namePattern = '^[A-Za-z][A-Za-z0-9_]*$';

export const fieldFlags = ['unique', 'index', 'readonly', 'immutable', 'hidden'] as const;

/** Escapes a name for a regular expression. */
const escaped = (name: string) => name.replaceAll(/[[\]]/g, String.raw`\$&`);

/** Names of enums begin with a capital letter; those of types do not. */
export const typeForm = String.raw`(${scalarNames.map(escaped).join('|')}|[A-Z][A-Za-z0-9_]*)\s*(\([^()]*\))?\s*\??`;
const literalForm = String.raw`("(\\.|[^"\\])*"|'[^']*'|[\[{].*|[^\s"'\[{]\S*)`;
const flagsPattern = `(\\s+(${fieldFlags.join('|')}))*`;

export const shortField = String.raw`^\s*${typeForm}(\s*=\s*${literalForm})?${flagsPattern}\s*$`;
export const shortRelation = String.raw`^\s*[A-Z][A-Za-z0-9_]*\s*(\?|\[\s*\])?\s*$`;

/** A map whose keys are names of the user's choice. `key:` alone is an empty map. */
export const namedMap = (definition: string) => ({
  shape: {
    type: ['object', 'null'],
    propertyNames: { pattern: namePattern },
    additionalProperties: referenceShape(definition),
  },
  read: readEntries,
});

export const listTypes = ({ enums }: SchemaNames): readonly string[] => [
  ...scalarNames.map(typicalType),
  ...enums,
];

export const capitalName = ({ models }: SchemaNames): Shape => ({
  anyOf: [{ enum: models }, { ...stringShape, pattern: '^[A-Z]' }],
});

export const asText = (more: Shape = {}) => ({
  shape: { ...stringShape, ...more },
  read: readWord,
});

export const asFlag = (initial: boolean) => ({
  shape: { type: 'boolean', default: initial },
  read: readFlag,
});

export const asChoice = <const Choice extends string>(
  choices: readonly Choice[],
  initial?: Choice,
) => ({
  shape: { enum: choices, ...(initial !== undefined && { default: initial }) },
  read: choiceReader(choices),
});

/** Reads a text that no message refers to. */
const readProse: Reader<string | undefined> = (node, scope) => readWord(node, scope)?.value;

export const asProse = { shape: stringShape, read: readProse };

export const description = {
  about: 'Reaches the OpenAPI document and the comments of the code.',
  ...asProse,
};

type Short<Table extends Keys, Main extends keyof KeyValues<Table>> = KeyValues<Table> & {
  readonly [Name in Main]-?: Exclude<KeyValues<Table>[Name], undefined>;
};

/** Reads a map, or a value that stands for its main key. Undefined without that key. */
export function orInShort<
  const Table extends Keys,
  const Main extends keyof Table & keyof KeyValues<Table> & string,
>(
  main: Main,
  table: Table,
  more?: Shape,
): { readonly shape: Shape; readonly read: Reader<Short<Table, Main> | undefined> };
export function orInShort(main: string, table: Keys, more: Shape = {}): object {
  const key = table[main];
  const read: Reader<object | undefined> = (node, scope) => {
    const isMap = node?.kind === 'map';
    const all: Readonly<Record<string, unknown>> = isMap
      ? readMap(node, table, scope)
      : { [main]: key?.read(node, scope) };
    return all[main] === undefined ? undefined : all;
  };
  return {
    shape: {
      anyOf: [key ? keyShape({ ...key, about: '' }) : {}, mapShape(table)],
      ...more,
    },
    read,
  };
}
