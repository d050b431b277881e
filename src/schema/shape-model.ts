import { foreignModelKeys, foreignRelationKeys } from './foreign-words.ts';
import { deleteActions, idTypes } from './key.ts';
import { modelKeys } from './keys.ts';
import { relationKeys } from './member-keys.ts';
import { present } from './present.ts';
import {
  type EndpointName,
  endpointNames,
  type Located,
  type ModelSchema,
  type RelationSchema,
} from './schema.ts';
import { shapeField } from './shape-field.ts';
import {
  accessOf,
  groupOf,
  groupsOf,
  indexOf,
  namesOf,
  orderOf,
  ownerOf,
  whoOf,
} from './shape-lists.ts';
import { literalOf } from './shape-values.ts';
import {
  choiceOf,
  entriesOf,
  flagOf,
  inside,
  isText,
  openMap,
  reportKind,
  type Scope,
  textOf,
} from './shape.ts';
import { parseShortRelation } from './shorthand.ts';
import { type Entry, type MapNode, type Node, partOf, type ScalarNode } from './source.ts';

export function shapeModel(entry: Entry, scope: Scope): ModelSchema {
  const inner = inside(scope, entry.name);
  const map = openMap(entry.value, modelKeys, inner, foreignModelKeys);
  const under = (key: keyof typeof modelKeys) => inside(inner, key);
  const text = (key: 'description' | 'table' | 'path' | 'plural' | 'was') =>
    textOf(map.get(key), under(key));
  const entries = (key: 'fields' | 'relations') => {
    const node = map.get(key);
    return node === undefined ? [] : entriesOf(node, under(key));
  };
  const items = (key: 'unique' | 'indexes') => {
    const node = map.get(key);
    return node === undefined ? [] : groupsOf(node, under(key));
  };
  return {
    name: { value: entry.name, at: entry.key.at },
    ...present({
      description: text('description')?.value,
      table: text('table'),
      path: text('path'),
      plural: text('plural'),
      id: choiceOf(map.get('id'), idTypes, under('id')),
      timestamps: flagOf(map.get('timestamps'), under('timestamps')),
      softDelete: flagOf(map.get('soft_delete'), under('soft_delete')),
      owner: ownerOf(map.get('owner'), under('owner')),
      embed: namesOf(map.get('embed'), under('embed')),
      endpoints: endpointsOf(map.get('endpoints'), under('endpoints')),
      orderBy: orderOf(map.get('order_by'), under('order_by')),
      was: text('was'),
    }),
    fields: entries('fields').map((field) => shapeField(field, inner)),
    relations: entries('relations').map((relation) => shapeRelation(relation, inner)),
    unique: items('unique').flatMap((item) => groupOf(item, under('unique'))),
    indexes: items('indexes').flatMap((item) => indexOf(item, under('indexes'))),
    access: accessOf(map.get('access'), under('access')),
    keysAt: map.places,
    extensions: map.extensions,
  };
}

function endpointsOf(node: Node | undefined, scope: Scope): Located<EndpointName>[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'list') {
    return node.items.flatMap((item) => choiceOf(item, endpointNames, scope) ?? []);
  }
  if (node.kind !== 'scalar' || node.value !== 'none') {
    reportKind(node, `\`none\` or a list of ${endpointNames.join(', ')}`, scope);
  }
  return [];
}

const longestShortForm = 500;

/** A relation in either form; a broken one points nowhere, so that the rest is still checked. */
function shapeRelation(entry: Entry, scope: Scope): RelationSchema {
  const { value } = entry;
  const name = { value: entry.name, at: entry.key.at };
  const inner = inside(scope, entry.name);
  if (isText(value)) return { name, ...shapeTarget(value, inner), extensions: {} };
  if (value.kind === 'map') return { name, ...shapeLong(value, inner) };
  const [item] = value.kind === 'list' ? value.items : [];
  const help = item && isText(item) ? `write \`${item.value}[]\`` : undefined;
  reportKind(value, 'a model, like `User`, `User?` or `User[]`, or a map with `to`', inner, help);
  return { name, to: { value: '', at: value.at }, optional: false, many: false, extensions: {} };
}

function shapeTarget(node: ScalarNode & { value: string }, scope: Scope) {
  const { to, suffix, flaw } = parseShortRelation(node.value.slice(0, longestShortForm));
  if (flaw !== undefined) {
    const { code, at, message, help } = flaw;
    scope.report({
      code,
      at: partOf(node, at.from, at.to),
      message: `${scope.path}: ${message}`,
      help,
    });
  }
  return {
    to: { value: flaw === undefined ? to.text : '', at: partOf(node, to.from, to.to) },
    optional: suffix === '?',
    many: suffix === '[]',
  };
}

function shapeLong(node: MapNode, scope: Scope): Omit<RelationSchema, 'name'> {
  const map = openMap(node, relationKeys, scope, foreignRelationKeys);
  const written = map.need('to', 'add the model it leads to, like `to: User`');
  textOf(written, inside(scope, 'to'));
  const target =
    written !== undefined && isText(written)
      ? shapeTarget(written, scope)
      : { to: { value: '', at: written?.at ?? node.at }, optional: false, many: false };
  const flag = (key: 'optional' | 'many' | 'unique' | 'index') =>
    flagOf(map.get(key), inside(scope, key));
  const text = (key: 'inverse' | 'through' | 'column' | 'was' | 'description') =>
    textOf(map.get(key), inside(scope, key));
  return {
    ...target,
    ...present({
      optional: flag('optional') ?? target.optional,
      many: flag('many') ?? target.many,
      unique: flag('unique'),
      index: flag('index'),
      inverse: text('inverse'),
      through: text('through'),
      onDelete: choiceOf(map.get('on_delete'), deleteActions, inside(scope, 'on_delete')),
      column: text('column'),
      was: text('was'),
      // Ids go up to 64 bits.
      backfill: literalOf(map.get('backfill'), 'bigint', inside(scope, 'backfill')),
      read: whoOf(map.get('read'), inside(scope, 'read')),
      write: whoOf(map.get('write'), inside(scope, 'write')),
      description: text('description')?.value,
    }),
    keysAt: map.places,
    extensions: map.extensions,
  };
}
