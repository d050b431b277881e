import { nameCases } from '../naming/name.ts';
import { engines } from '../types/field-type.ts';
import { foreignTopKeys, foreignModelKeys, foreignRelationKeys } from './foreign-words.ts';
import { deleteActions } from './key.ts';
import {
  apiKeys,
  appKeys,
  authKeys,
  listedValueKeys,
  namingKeys,
  topKeys,
  valueKeys,
  modelKeys,
} from './keys.ts';
import { relationKeys } from './member-keys.ts';
import { present } from './present.ts';
import {
  type EnumSchema,
  type EnumValueSchema,
  type Located,
  type Schema,
  type EndpointName,
  endpointNames,
  presences,
  type ModelSchema,
  type RelationSchema,
} from './schema.ts';
import { shapeField, literalOf } from './shape-field.ts';
import { idOf } from './shape-id.ts';
import { softDeleteOf, timestampsOf } from './shape-times.ts';
import {
  accessOf,
  checksOf,
  indexesOf,
  linkOf,
  membersOf,
  namesOf,
  orderOf,
  ownerOf,
  secretOf,
  uniqueOf,
  whoOf,
} from './shape-lists.ts';
import {
  choiceOf,
  entriesOf,
  inside,
  isNull,
  isText,
  listOf,
  openMap,
  reportFlaw,
  reportKind,
  type Scope,
  textOf,
  flagOf,
} from './shape.ts';
import { parseShortRelation } from './shorthand.ts';
import { type Entry, type Node, type MapNode, partOf, type ScalarNode } from './source.ts';

/** The whole file, short forms expanded. */
export function shapeSchema(root: Node, scope: Scope): Schema {
  const map = openMap(root, topKeys, scope, foreignTopKeys);
  checkVersion(map.need('version', 'start the file with `version: 1`'), scope);
  return {
    app: appOf(map.need('app', 'add `app: { name: my-api }`'), inside(scope, 'app')),
    ...present({
      database: map.read('database', choiceOf(engines)),
      api: map.read('api', apiOf),
      naming: map.read('naming', namingOf),
    }),
    ...map.read('auth', authOf),
    enums: map.read('enums', entriesOf).map((entry) => shapeEnum(entry, scope)),
    models: map.read('models', entriesOf).map((entry) => shapeModel(entry, scope)),
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
    ...present({ description: map.read('description', textOf)?.value }),
  };
}

function apiOf(node: Node | undefined, scope: Scope): Schema['api'] {
  if (node === undefined) return undefined;
  if (isText(node)) {
    const help = `write \`api: { prefix: ${node.value} }\``;
    reportKind(node, 'a map with a `prefix`', scope, help);
    return undefined;
  }
  const map = openMap(node, apiKeys, scope);
  return present({ prefix: map.read('prefix', textOf) });
}

/** A case for all names, or a map. */
function namingOf(node: Node | undefined, scope: Scope): Schema['naming'] {
  const nameCase = choiceOf(nameCases);
  if (node?.kind !== 'map') return present({ api: nameCase(node, scope)?.value });
  const map = openMap(node, namingKeys, scope);
  return present({
    api: map.read('api', nameCase)?.value,
    columns: map.read('columns', nameCase)?.value,
  });
}

function authOf(
  node: Node | undefined,
  scope: Scope,
): Pick<Schema, 'roles' | 'userName' | 'password'> {
  if (node === undefined) return { roles: [] };
  const map = openMap(node, authKeys, scope);
  return {
    roles: map.read('roles', (roles, inner) =>
      listOf(roles, inner).flatMap((item) => textOf(item, inner) ?? []),
    ),
    ...present({
      userName: map.read('name', choiceOf(presences)),
      password: map.read('password', flagOf),
    }),
  };
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
      description: map.read('description', textOf)?.value,
      was: map.read('was', textOf),
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
  const link = map.read('link', linkOf);
  const fields = map.read('fields', entriesOf).map((field) => shapeField(field, inner));
  return {
    name: { value: entry.name, at: entry.key.at },
    ...present({
      description: map.read('description', textOf)?.value,
      table: map.read('table', textOf),
      path: map.read('path', textOf),
      plural: map.read('plural', textOf),
      id: map.read('id', idOf),
      timestamps: map.read('timestamps', timestampsOf),
      softDelete: map.read('soft_delete', softDeleteOf),
      owner: map.read('owner', ownerOf),
      link,
      embed: map.read('embed', namesOf),
      endpoints: map.read('endpoints', endpointsOf),
      orderBy: map.read('order_by', orderOf),
      was: map.read('was', textOf),
    }),
    fields: link === undefined ? fields : [...fields, secretOf(link)],
    relations: map.read('relations', entriesOf).map((relation) => shapeRelation(relation, inner)),
    unique: map.read('unique', uniqueOf),
    indexes: map.read('indexes', indexesOf),
    checks: map.read('checks', checksOf),
    access: map.read('access', accessOf),
    members: map.read('members', membersOf),
    keysAt: map.places,
    extensions: map.extensions,
  };
}

function endpointsOf(node: Node | undefined, scope: Scope): Located<EndpointName>[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'list') {
    return node.items.flatMap((item) => choiceOf(endpointNames)(item, scope) ?? []);
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
  if (flaw !== undefined) reportFlaw('SCF302', flaw, node, scope);
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
  return {
    ...target,
    ...present({
      optional: map.read('optional', flagOf) ?? target.optional,
      many: map.read('many', flagOf) ?? target.many,
      unique: map.read('unique', flagOf),
      index: map.read('index', flagOf),
      inverse: map.read('inverse', textOf),
      through: map.read('through', textOf),
      onDelete: map.read('on_delete', choiceOf(deleteActions)),
      column: map.read('column', textOf),
      was: map.read('was', textOf),
      // Ids go up to 64 bits.
      backfill: map.read('backfill', literalOf('bigint')),
      among: map.read('among', textOf),
      read: map.read('read', whoOf),
      write: map.read('write', whoOf),
      description: map.read('description', textOf)?.value,
    }),
    keysAt: map.places,
    extensions: map.extensions,
  };
}
