import { present } from './present.ts';
import type { EndpointName, Located, ModelSchema, OrderKeySchema } from './schema.ts';
import {
  choiceOf,
  entriesOf,
  flagOf,
  inside,
  isText,
  listOf,
  openMap,
  reportKind,
  textOf,
  type Scope,
} from './shape.ts';
import { shapeField } from './shape-field.ts';
import { shapeRelation } from './shape-relation.ts';
import { partOf, type Entry, type Node, type ScalarNode } from './source.ts';

export const modelKeys = [
  'description',
  'table',
  'path',
  'plural',
  'id',
  'timestamps',
  'soft_delete',
  'owner',
  'endpoints',
  'fields',
  'relations',
  'unique',
  'indexes',
  'order_by',
  'access',
  'was',
] as const;

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

export function shapeModel(entry: Entry, scope: Scope): ModelSchema {
  const inner = inside(scope, entry.name);
  const map = openMap(entry.value, modelKeys, inner);
  const under = (key: (typeof modelKeys)[number]) => inside(inner, key);
  const text = (key: 'description' | 'table' | 'path' | 'plural' | 'owner' | 'was') =>
    textOf(map.get(key), under(key));
  const entries = (key: 'fields' | 'relations') => {
    const node = map.get(key);
    return node === undefined ? [] : entriesOf(node, under(key));
  };
  const items = (key: 'unique' | 'indexes') => {
    const node = map.get(key);
    return node === undefined ? [] : listOf(node, under(key));
  };
  return {
    name: { value: entry.name, at: entry.key.at },
    ...present({
      description: text('description')?.value,
      table: text('table'),
      path: text('path'),
      plural: text('plural'),
      id: choiceOf(map.get('id'), ['int', 'uuid'], under('id')),
      timestamps: flagOf(map.get('timestamps'), under('timestamps')),
      softDelete: flagOf(map.get('soft_delete'), under('soft_delete')),
      owner: text('owner'),
      endpoints: endpointsOf(map.get('endpoints'), under('endpoints')),
      orderBy: orderOf(map.get('order_by'), under('order_by')),
      was: text('was'),
    }),
    fields: entries('fields').map((field) => shapeField(field, inner)),
    relations: entries('relations').map((relation) => shapeRelation(relation, inner)),
    unique: items('unique').flatMap((item) => groupOf(item, under('unique'))),
    indexes: items('indexes').flatMap((item) => indexOf(item, under('indexes'))),
    access: accessOf(map.get('access'), under('access')),
    extensions: map.extensions,
  };
}

function endpointsOf(node: Node | undefined, scope: Scope): Located<EndpointName>[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== 'list') {
    choiceOf(node, ['none'], scope);
    return [];
  }
  return node.items.flatMap((item) => choiceOf(item, endpointNames, scope) ?? []);
}

function groupOf(node: Node, scope: Scope): Located<string>[][] {
  if (isText(node)) {
    reportKind(node, 'a list of lists', scope, `write \`[${node.value}]\``);
    return [];
  }
  return [listOf(node, scope).flatMap((item) => textOf(item, scope) ?? [])];
}

function indexOf(node: Node, scope: Scope): OrderKeySchema[][] {
  if (isText(node)) {
    reportKind(node, 'a list of lists', scope, `write \`[${node.value}]\``);
    return [];
  }
  return [listOf(node, scope).flatMap((item) => keyOf(item, scope))];
}

/** `-published_at`, `a,-b` or a list. */
function orderOf(node: Node | undefined, scope: Scope): OrderKeySchema[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'list') return node.items.flatMap((item) => keyOf(item, scope));
  if (isText(node))
    return [...node.value.matchAll(/[^,]+/g)].map(({ 0: key, index }) =>
      orderKey(node, key, index),
    );
  reportKind(node, 'a field, like `-created_at`, or a list of fields', scope);
  return undefined;
}

function keyOf(node: Node, scope: Scope): OrderKeySchema[] {
  if (isText(node)) return [orderKey(node, node.value, 0)];
  textOf(node, scope);
  return [];
}

function orderKey(node: ScalarNode, written: string, offset: number): OrderKeySchema {
  const [, before = '', sign = '', name = ''] = /^(\s*)(-?)\s*(.*?)\s*$/s.exec(written) ?? [];
  const from = offset + written.indexOf(name, before.length + sign.length);
  return {
    field: { value: name, at: partOf(node, from, from + name.length) },
    descending: sign === '-',
  };
}

function accessOf(node: Node | undefined, scope: Scope): ModelSchema['access'] {
  if (node === undefined) return {};
  if (isText(node)) {
    reportKind(node, 'a map of operation to who may', scope, `write \`{ read: ${node.value} }\``);
    return {};
  }
  const map = openMap(node, endpointNames, scope);
  const words = (key: EndpointName) => {
    const value = map.get(key);
    return value === undefined ? undefined : wordsOf(value, inside(scope, key));
  };
  return present({
    list: words('list'),
    create: words('create'),
    read: words('read'),
    update: words('update'),
    delete: words('delete'),
  });
}

function wordsOf(node: Node, scope: Scope): Located<string>[] {
  const items = node.kind === 'list' ? node.items : [node];
  return items.flatMap((item) => textOf(item, scope) ?? []);
}
