import { present } from '../present.ts';
import { orderWords, parseCheck } from '../schema/check.ts';
import { listRepeats } from '../schema/scope.ts';
import { type ModelFacts, toOneRelations } from '../schema/facts.ts';
import type { OrderKeySchema } from '../schema/keys/groups.ts';
import type { Schema } from '../schema/keys/top.ts';
import type { Located } from '../schema/language.ts';
import { keyName } from '../naming/name.ts';
import type { Check, Field, Index, OrderKey, UniqueConstraint } from './app.ts';
import { databaseName } from '../naming/database-name.ts';
import { conditionFromText } from './rule.ts';

/** Unique constraints of single fields, then those that the model lists. */
export function buildUnique(
  model: ModelFacts,
  fields: readonly Field[],
): readonly UniqueConstraint[] {
  const single = fields
    .filter((field) => field.unique)
    .map((field): Omit<UniqueConstraint, 'name'> => ({ fields: [field.name] }));
  const listed = model.schema.unique.map(({ keys, where }) => ({
    fields: keys.map((name) => fieldName(model, name.value)),
    ...present({ where: resolveWhere(where, model) }),
  }));
  return distinct([...single, ...listed], (it) => JSON.stringify(it)).map((it) => ({
    name: databaseName([model.table, ...columns(it.fields, fields)], 'unique'),
    ...it,
  }));
}

/** Conditions always parse here, because the rules of the schema have checked them. */
function resolveWhere(where: Located<string> | undefined, model: ModelFacts): Index['where'] {
  return (
    where &&
    conditionFromText(where.value).map((it) => ({
      ...it,
      path: it.path.map((name) => fieldName(model, name)),
    }))
  );
}

const isOfAllRows = ({ where }: Pick<Index, 'where'>) => where === undefined;

export function buildChecks(model: ModelFacts, fields: readonly Field[]): readonly Check[] {
  return model.schema.checks.flatMap(({ value }) => {
    const check = parseCheck(value);
    if (check === undefined) return [];
    const [left = '', right = ''] = columns([check.left, check.right], fields);
    const parts = [model.table, left, orderWords[check.operator], right];
    return [{ name: databaseName(parts, 'check'), ...check }];
  });
}

/** Indexes that the model lists, then those of single fields and keys that no other index serves. */
export function buildIndexes(
  model: ModelFacts,
  fields: readonly Field[],
  unique: readonly UniqueConstraint[],
  storage: Schema['storage'],
): readonly Index[] {
  const listed = model.schema.indexes.map(({ keys, where }) => ({
    keys: buildOrder(model, keys),
    ...present({ where: resolveWhere(where, model) }),
  }));
  const leading = new Set([
    ...listed.filter(isOfAllRows).map(({ keys }) => keys[0]?.field),
    // A unique constraint on rows that are not deleted cannot find the others.
    ...(model.schema.softDelete ? [] : unique.filter(isOfAllRows).map((it) => it.fields[0])),
  ]);
  const indexed = new Set([
    ...model.schema.fields.filter(({ index }) => index).map(({ name }) => name.value),
    ...toOneRelations(model.schema)
      .filter(({ index = true }) => index)
      .map(({ name }) => fieldName(model, name.value)),
  ]);
  const single = fields
    .filter(({ name }) => indexed.has(name) && !leading.has(name))
    .map(({ name }): Omit<Index, 'name'> => ({ keys: [{ field: name, descending: false }] }));
  return distinct([...listed, ...single], keysAsText).map(({ keys, ...rest }) => {
    const names = keys.map(({ field }) => field);
    return {
      name: databaseName([model.table, ...columns(names, fields)], 'index'),
      keys: storage?.indexes?.value === 'bare' ? keys : withIdLast(keys),
      ...rest,
    };
  });
}

/** Each order of a list ends with the id in the same direction, so a page is a range of such an index. */
function withIdLast(keys: readonly OrderKey[]): readonly OrderKey[] {
  const last = keys.at(-1);
  if (last === undefined || keys.some((key) => key.field === 'id')) return keys;
  return [...keys, { field: 'id', descending: last.descending }];
}

/** Keys by the names of fields. A relation stands for its key. */
export function buildOrder(
  model: ModelFacts,
  keys: readonly OrderKeySchema[],
): readonly OrderKey[] {
  return keys.map((key) => ({
    field: fieldName(model, key.field.value),
    descending: key.descending,
  }));
}

/** Equal for groups of keys that make the same index. */
function keysAsText({ keys, where }: Pick<Index, 'keys' | 'where'>): string {
  return JSON.stringify([withIdLast(keys), where]);
}

function columns(names: readonly string[], fields: readonly Field[]): readonly string[] {
  return names.map((name) => fields.find((field) => field.name === name)?.column ?? name);
}

function fieldName({ schema, naming }: ModelFacts, name: string): string {
  const isKey = schema.relations.some((relation) => relation.name.value === name && !relation.many);
  return isKey ? keyName(name, naming.api) : name;
}

function distinct<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  const repeated = listRepeats(items, key);
  return items.filter((item) => !repeated.has(item));
}
