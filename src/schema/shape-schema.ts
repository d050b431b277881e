import { engines } from '../types/engine.ts';
import { foreignTopKeys, foreignModelKeys, foreignRelationKeys } from './foreign-words.ts';
import {
  apiKeys,
  appKeys,
  authKeys,
  listedValueKeys,
  topKeys,
  valueKeys,
  modelKeys,
} from './keys.ts';
import { present } from './present.ts';
import {
  type EnumSchema,
  type EnumValueSchema,
  type Located,
  type Schema,
  type EndpointName,
  endpointNames,
  type ModelSchema,
  type RelationSchema,
} from './schema.ts';
import {
  choiceOf,
  entriesOf,
  inside,
  isNull,
  isText,
  listOf,
  openMap,
  reportKind,
  type Scope,
  textOf,
  flagOf,
} from './shape.ts';
import { type Entry, type Node, type MapNode, partOf, type ScalarNode } from './source.ts';
import { deleteActions, idTypes } from './key.ts';
import { relationKeys } from './member-keys.ts';
import { shapeField, literalOf } from './shape-field.ts';
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
import { parseShortRelation } from './shorthand.ts';

/** The whole file, short forms expanded. */
export function shapeSchema(root: Node, scope: Scope): Schema {
  const map = openMap(root, topKeys, scope, foreignTopKeys);
  checkVersion(map.need('version', 'start the file with `version: 1`'), scope);
  const entries = (key: 'enums' | 'models'): readonly Entry[] => {
    const node = map.get(key);
    return node === undefined ? [] : entriesOf(node, inside(scope, key));
  };
  return {
    app: appOf(map.need('app', 'add `app: { name: my-api }`'), inside(scope, 'app')),
    ...present({
      database: choiceOf(map.get('database'), engines, inside(scope, 'database')),
      api: apiOf(map.get('api'), inside(scope, 'api')),
    }),
    roles: rolesOf(map.get('auth'), inside(scope, 'auth')),
    enums: entries('enums').map((entry) => shapeEnum(entry, scope)),
    models: entries('models').map((entry) => shapeModel(entry, scope)),
    extensions: map.extensions,
  };
}

function checkVersion(node: Node | undefined, scope: Scope): void {
  if (node === undefined || (node.kind === 'scalar' && node.value === 1)) return;
  scope.report({
    code: 'SCF119',
    at: node.at,
    message: 'this version of the schema language is not known',
    help: 'write `version: 1`',
  });
}

function appOf(node: Node | undefined, scope: Scope): Schema['app'] {
  if (node === undefined) return { name: { value: '', at: { line: 1, column: 1, length: 1 } } };
  if (isText(node)) {
    reportKind(node, 'a map with a `name`', scope, `write \`app: { name: ${node.value} }\``);
    return { name: { value: '', at: node.at } };
  }
  const map = openMap(node, appKeys, scope);
  const name = textOf(map.need('name', 'add `name: my-api`'), inside(scope, 'name'));
  return {
    name: name ?? { value: '', at: node.at },
    ...present({
      description: textOf(map.get('description'), inside(scope, 'description'))?.value,
    }),
  };
}

function apiOf(node: Node | undefined, scope: Scope): Schema['api'] {
  if (node === undefined) return undefined;
  const map = openMap(node, apiKeys, scope);
  return present({ prefix: textOf(map.get('prefix'), inside(scope, 'prefix')) });
}

function rolesOf(node: Node | undefined, scope: Scope): Located<string>[] {
  if (node === undefined) return [];
  const roles = openMap(node, authKeys, scope).get('roles');
  if (roles === undefined) return [];
  return listOf(roles, inside(scope, 'roles')).flatMap(
    (item) => textOf(item, inside(scope, 'roles')) ?? [],
  );
}

/** A list of values, or a map of value to description. */
function shapeEnum(entry: Entry, scope: Scope): EnumSchema {
  const inner = inside(scope, entry.name);
  const { name, key, value } = entry;
  const described = value.kind === 'map' ? entriesOf(value, inner) : [];
  const listed = value.kind === 'map' ? [] : listOf(value, inner);
  if (described.length + listed.length === 0 && (value.kind !== 'scalar' || isNull(value))) {
    inner.report({
      code: 'SCF217',
      at: key.at,
      message: `the enum ${name} has no values`,
      help: `list them: \`${name}: [first, second]\``,
    });
  }
  return {
    name: { value: name, at: key.at },
    values: [
      ...described.map((item) => describedValue(item, inner)),
      ...listed.flatMap((item) => listedValue(item, inner)),
    ],
  };
}

function describedValue({ name, key, value }: Entry, scope: Scope): EnumValueSchema {
  const inner = inside(scope, name);
  const located = { value: { value: name, at: key.at } };
  if (isNull(value)) return located;
  if (value.kind !== 'map')
    return { ...located, ...present({ description: textOf(value, inner)?.value }) };
  const map = openMap(value, valueKeys, inner);
  return {
    ...located,
    ...present({
      description: textOf(map.get('description'), inside(inner, 'description'))?.value,
      was: textOf(map.get('was'), inside(inner, 'was')),
    }),
  };
}

function listedValue(node: Node, scope: Scope): EnumValueSchema[] {
  const inner = inside(scope, 'value');
  if (node.kind !== 'map') {
    const value = textOf(node, inner) ?? misread(node);
    return value === undefined ? [] : [{ value }];
  }
  const map = openMap(node, listedValueKeys, inner);
  const value = textOf(map.need('value', 'add one, like `value: draft`'), inner);
  if (value === undefined) return [];
  return [
    {
      value,
      ...present({
        description: textOf(map.get('description'), inner)?.value,
        was: textOf(map.get('was'), inner),
      }),
    },
  ];
}

/** A number or boolean still counts as a value, so that nothing else is missed for it. */
function misread(node: Node): Located<string> | undefined {
  return node.kind === 'scalar' && !isNull(node) ? { value: node.source, at: node.at } : undefined;
}

function shapeModel(entry: Entry, scope: Scope): ModelSchema {
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
