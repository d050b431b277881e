import { present } from '../../present.ts';
import type { Json } from '../../types/field-type.ts';
import { type Keys, mapShape, readMap, type Shape } from '../key.ts';
import { asText, listShape, referenceShape, stringShape } from '../kinds.ts';
import type { Located } from '../language.ts';
import { leaveUnread, isText, readList, type Reader, readWord } from '../shape.ts';
import { type SchemaNode, locatePart, type ScalarNode } from '../source.ts';
import { scopeInside, reportKind, type Scope } from '../scope.ts';

/** A longer text would exceed the limit on keys anyway. */
const longestOrder = 2000;

/** Fields that are unique together, or share an index. */
interface Group<Name> {
  readonly keys: readonly Name[];
  /** The condition of the rows; absent for all rows. */
  readonly where?: Located<string>;
}

/** A leading `-` means descending. */
export interface OrderKeySchema {
  readonly field: Located<string>;
  readonly descending: boolean;
}

const groupKeys = {
  fields: {
    about: 'The fields and relations.',
    shape: listShape(stringShape),
    read: leaveUnread,
    required: 'add the names of fields, like `fields: [title]`',
  },
  where: {
    about: 'The rows that it applies to: `status = active and closed_at is null`.',
    ...asText(),
    absent: 'all',
  },
} as const satisfies Keys;

/** Lists of names, or in the long form. */
function groupShape(items: Json): Shape {
  const shape = { type: 'array', minItems: 1, items };
  return listShape({
    anyOf: [shape, mapShape({ ...groupKeys, fields: { ...groupKeys.fields, shape } })],
  });
}

export const asUnique = {
  shape: groupShape(stringShape),
  read: readGroups((item, scope) => readWord(item, scope) ?? []),
};

export const asIndexes = {
  shape: groupShape(referenceShape('order')),
  read: readGroups(orderKeysIn),
};

type ReadItem<Name> = (item: SchemaNode, scope: Scope) => Name | readonly Name[];

/**
 * The groups of `unique` or `indexes`; one that is not a list is left out, so that the rest is still checked. Fields
 * that are not grouped are one slip, reported once.
 */
function readGroups<Name>(readItem: ReadItem<Name>): Reader<readonly Group<Name>[]> {
  return (node, scope) => {
    const groups = node?.kind === 'map' ? [] : readList(node, scope);
    const names = groups.flatMap((group) => (isText(group) ? [group.value] : []));
    const isFlat = names.length > 0 && names.length === groups.length;
    if (node?.kind === 'map' || (node !== undefined && isFlat)) {
      reportKind(node, 'a list of lists', scope, helpForGroups(names));
      return [];
    }
    return groups
      .map((group) => readGroup(group, scope, readItem))
      .filter(({ keys }) => keys.length > 0);
  };
}

function helpForGroups(names: readonly string[]): string {
  if (names.length === 0) return 'write the names of fields, like `[[title, -views]]`';
  const both = `write \`[[${names.join(', ')}]]\``;
  const each = names.map((name) => `[${name}]`).join(', ');
  return names.length === 1 ? both : `${both} for all together, or \`[${each}]\` for each`;
}

/** A list, or a map that also says which rows are meant. */
function readGroup<Name>(node: SchemaNode, scope: Scope, readItem: ReadItem<Name>): Group<Name> {
  const keysIn = (items: SchemaNode, inner: Scope) =>
    readGroupItems(items, inner).flatMap((item) => readItem(item, scope));
  if (node.kind !== 'map') return { keys: keysIn(node, scope) };
  const { fields, where } = readMap(node, groupKeys, scope);
  return {
    keys: fields ? keysIn(fields, scopeInside(scope, 'fields')) : [],
    ...present({ where }),
  };
}

function readGroupItems(node: SchemaNode, scope: Scope): readonly SchemaNode[] {
  if (isText(node)) {
    reportKind(node, 'a list of lists', scope, `write \`[${node.value}]\``);
    return [];
  }
  if (node.kind === 'list' && node.items.length === 0) reportEmpty(node, scope);
  return readList(node, scope);
}

function reportEmpty(node: SchemaNode, scope: Scope): void {
  const message = `${scope.path} does not name any field`;
  const help = 'name at least one, or remove it';
  scope.report({ code: 'SCF220', at: node.at, message, help });
}

/** `-published_at`, `a,-b` or a list. */
const readOrder: Reader<readonly OrderKeySchema[] | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (isText(node)) {
    if (node.value.trim() === '') reportEmpty(node, scope);
    const keys = [...node.value.slice(0, longestOrder).matchAll(/[^,]+/g)];
    return keys.map(({ 0: key, index }) => readOrderKey(node, key, index));
  }
  if (node.kind === 'list')
    return readGroupItems(node, scope).flatMap((item) => orderKeysIn(item, scope));
  reportKind(node, 'a field, like `-created_at`, or a list of fields', scope);
  return undefined;
};

export const asOrder = {
  shape: { anyOf: [stringShape, listShape(referenceShape('order'))] },
  read: readOrder,
};

function orderKeysIn(node: SchemaNode, scope: Scope): OrderKeySchema[] {
  if (isText(node)) return [readOrderKey(node, node.value, 0)];
  readWord(node, scope);
  return [];
}

function readOrderKey(node: ScalarNode, written: string, offset: number): OrderKeySchema {
  const [, before = '', sign = '', name = ''] = /^(\s*)(-?)\s*(.*?)\s*$/s.exec(written) ?? [];
  const from = offset + written.indexOf(name, before.length + sign.length);
  return {
    field: { value: name, at: locatePart(node, from, from + name.length) },
    descending: sign === '-',
  };
}
