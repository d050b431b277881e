import { engines } from '../types/engine.ts';
import { foreignTopKeys } from './foreign-words.ts';
import { apiKeys, appKeys, authKeys, listedValueKeys, topKeys, valueKeys } from './keys.ts';
import { present } from './present.ts';
import type { EnumSchema, EnumValueSchema, Located, Schema } from './schema.ts';
import { shapeModel } from './shape-model.ts';
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
} from './shape.ts';
import type { Entry, Node } from './source.ts';

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
