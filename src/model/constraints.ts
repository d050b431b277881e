import { keyName } from '../naming/name.ts';
import type { OrderKeySchema } from '../schema/schema.ts';
import type { Field, Index, OrderKey, UniqueConstraint } from './app.ts';
import { identifier } from './identifier.ts';
import type { Outline } from './outline.ts';

/** Every unique constraint: those of single fields, then those the model lists. */
export function buildUnique(
  outline: Outline,
  fields: readonly Field[],
): readonly UniqueConstraint[] {
  const single = fields.filter((field) => field.unique).map((field) => [field.name]);
  const listed = outline.schema.unique.map((names) =>
    names.map((name) => fieldName(outline, name.value)),
  );
  return distinct([...single, ...listed], (names) => names.join()).map((names) => ({
    name: identifier([outline.table, ...columns(names, fields)], 'unique'),
    fields: names,
  }));
}

/** Every index: those the model lists, then those of single fields and keys that no other one serves. */
export function buildIndexes(
  outline: Outline,
  fields: readonly Field[],
  unique: readonly UniqueConstraint[],
): readonly Index[] {
  const listed = outline.schema.indexes.map((keys) => buildOrder(outline, keys));
  const leading = new Set([
    ...listed.map((keys) => keys[0]?.field),
    // A unique constraint among living rows cannot find the others.
    ...(outline.schema.softDelete ? [] : unique.map((constraint) => constraint.fields[0])),
  ]);
  const single = fields
    .filter((field) => field.index && !leading.has(field.name))
    .map((field): readonly OrderKey[] => [{ field: field.name, descending: false }]);
  return distinct([...listed, ...single], directions).map((keys) => ({
    name: identifier(
      [
        outline.table,
        ...columns(
          keys.map(({ field }) => field),
          fields,
        ),
      ],
      'index',
    ),
    keys: endedById(keys),
  }));
}

/** As every order of a list ends, and running the same way: then a page is a stretch of the index. */
function endedById(keys: readonly OrderKey[]): readonly OrderKey[] {
  const last = keys.at(-1);
  if (last === undefined || keys.some((key) => key.field === 'id')) return keys;
  return [...keys, { field: 'id', descending: last.descending }];
}

/** Keys by field name: a relation stands for its key. */
export function buildOrder(outline: Outline, keys: readonly OrderKeySchema[]): readonly OrderKey[] {
  return keys.map((key) => ({
    field: fieldName(outline, key.field.value),
    descending: key.descending,
  }));
}

/** Of the index that comes of them. */
function directions(keys: readonly OrderKey[]): string {
  return endedById(keys)
    .map((key) => `${key.field}${key.descending ? '_desc' : ''}`)
    .join(' ');
}

function columns(names: readonly string[], fields: readonly Field[]): readonly string[] {
  return names.map((name) => fields.find((field) => field.name === name)?.column ?? name);
}

function fieldName({ schema }: Outline, name: string): string {
  const isKey = schema.relations.some((relation) => relation.name.value === name && !relation.many);
  return isKey ? keyName(name) : name;
}

function distinct<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  const first = new Map(items.toReversed().map((item) => [key(item), item]));
  return items.filter((item) => first.get(key(item)) === item);
}
