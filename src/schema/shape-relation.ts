import { foreignRelationKeys } from './foreign-words.ts';
import { deleteActions } from './key.ts';
import { relationKeys } from './member-keys.ts';
import { literalOf } from './literal.ts';
import { present } from './present.ts';
import type { RelationSchema } from './schema.ts';
import {
  choiceOf,
  flagOf,
  inside,
  isText,
  openMap,
  reportKind,
  textOf,
  type Scope,
} from './shape.ts';
import { whoOf } from './shape-access.ts';
import { parseShortRelation } from './shorthand.ts';
import { partOf, type Entry, type MapNode, type ScalarNode } from './source.ts';

const longestShortForm = 500;

/** A relation in either form; a broken one points nowhere, so that the rest is still checked. */
export function shapeRelation(entry: Entry, scope: Scope): RelationSchema {
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
