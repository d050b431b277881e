import type { Json, ValueFlaw, TypedField, TypeDefinition } from './field-type.ts';
import { int } from './int.ts';
import { wrongType } from './value-flaw.ts';
import { readJson, textSql } from './sql.ts';
import { string } from './string.ts';
import { collated, proseStorage } from './texts.ts';

/** An array on PostgreSQL; JSON on SQLite, where only the server checks the items. */
function listType(item: TypeDefinition, definition: ListDefinition): TypeDefinition {
  const { name, array, samples } = definition;
  return {
    reference: {
      written: name,
      json: `list of ${item.reference.json}s`,
      holds: `values of \`${item.reference.written}\`, in their order; none is null`,
    },
    foreign: definition.foreign,
    read: readJson,
    flawOf: (value) => listFlaw(value, item, definition),
    typescript: `${item.typescript}[]`,
    call: definition.call,
    encoded: true,
    family: name,
    sqlite: {
      column: () => 'text',
      literal: (value) => textSql(JSON.stringify(value)),
      // Accepts only the form that the server writes.
      shape: (it) => `json_valid(${it}) AND json_type(${it}) = 'array' AND json(${it}) = ${it}`,
      note: () => `a JSON list of ${item.reference.json}s`,
    },
    postgres: {
      column: array,
      literal: (value) => proseStorage.postgres.literal(arrayText(value)),
      // PostgreSQL refuses to search a list of lists, so this refuses those as well.
      shape: (it) => `array_position(${it}, NULL) IS NULL`,
    },
    sample: () => samples.slice(0, 2),
    examples: () => [samples.slice(0, 2), samples.slice(1), []],
    wrong: 'no list',
  };
}

interface ListDefinition {
  readonly name: 'string[]' | 'int[]';
  readonly foreign: readonly string[];
  readonly call: string;
  readonly array: (field: TypedField) => string;
  readonly samples: readonly Json[];
}

export const strings = listType(string, {
  name: 'string[]',
  foreign: ['text[]', 'varchar[]', 'array<string>'],
  call: 't.Strings',
  array: (field) => collated('text[]', field),
  samples: ['snow', 'harbour', 'fox'],
});

export const ints = listType(int, {
  name: 'int[]',
  foreign: ['integer[]', 'number[]', 'array<number>'],
  call: 't.Ints',
  array: () => 'integer[]',
  samples: [7, 42, 19],
});

function listFlaw(value: Json, item: TypeDefinition, { name, samples }: ListDefinition) {
  const expected = `a list, like \`${JSON.stringify(samples.slice(0, 2))}\``;
  if (!Array.isArray(value)) return wrongType(value, expected);
  const type = { kind: name === 'int[]' ? 'int' : 'string' } as const;
  const flaws = value.map((each: Json): ValueFlaw | undefined => item.flawOf(each, { type }));
  return flaws.find((flaw) => flaw !== undefined);
}

/** `{"it's","a \"list\""}`, `{1,2}` */
function arrayText(value: Json): string {
  const items = [value].flat();
  return `{${items.map((it) => (typeof it === 'string' ? quoteElement(it) : String(it))).join(',')}}`;
}

const quoteElement = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
