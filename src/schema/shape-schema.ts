import { engines } from '../types/engine.ts';
import { apiKeys, appKeys, authKeys, topKeys } from './keys.ts';
import { present } from './present.ts';
import type { Located, Schema } from './schema.ts';
import { foreignTopKeys } from './foreign-words.ts';
import {
  choiceOf,
  entriesOf,
  inside,
  isText,
  listOf,
  openMap,
  reportKind,
  textOf,
  type Scope,
} from './shape.ts';
import { shapeEnum } from './shape-enum.ts';
import { shapeModel } from './shape-model.ts';
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
