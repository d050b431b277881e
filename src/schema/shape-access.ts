import { foreignAccessKeys } from './foreign-words.ts';
import { accessKeys, ownerKeys } from './keys.ts';
import { present } from './present.ts';
import {
  type EndpointName,
  type EntrySchema,
  type Located,
  type ModelSchema,
  type OwnerSchema,
} from './schema.ts';
import { inside, isText, listOf, openMap, reportKind, textOf, type Scope } from './shape.ts';
import type { Node } from './source.ts';

/** Per operation an entry or a list of entries. */
export function accessOf(node: Node | undefined, scope: Scope): ModelSchema['access'] {
  if (node === undefined) return {};
  if (isText(node)) {
    reportKind(node, 'a map of operation to who may', scope, `write \`{ read: ${node.value} }\``);
    return {};
  }
  const map = openMap(node, accessKeys, scope, foreignAccessKeys);
  const words = (key: EndpointName) => whoOf(map.get(key), inside(scope, key));
  return present({
    list: words('list'),
    create: words('create'),
    read: words('read'),
    update: words('update'),
    delete: words('delete'),
  });
}

/** An entry or a list of entries, any of which admits. */
export function whoOf(node: Node | undefined, scope: Scope): EntrySchema[] | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== 'list') return entryOf(node, scope);
  if (node.items.length === 0) {
    scope.report({
      code: 'SCF706',
      at: node.at,
      message: `${scope.path} admits nobody`,
      help: 'write `admin` for administrators only',
    });
  }
  return node.items.flatMap((item) => entryOf(item, scope));
}

function entryOf(node: Node, scope: Scope): EntrySchema[] {
  const who = textOf(node, scope);
  return who === undefined ? [] : [{ who }];
}

/** A relation, or a map that says as well who may name the owner. */
export function ownerOf(node: Node | undefined, scope: Scope): OwnerSchema | undefined {
  if (node?.kind !== 'map') {
    const relation = textOf(node, scope);
    return relation && { relation };
  }
  const map = openMap(node, ownerKeys, scope);
  const help = 'add the relation to the owner, like `relation: author`';
  const relation = textOf(map.need('relation', help), inside(scope, 'relation'));
  const assign = namesOf(map.get('assign'), inside(scope, 'assign'));
  return relation && { relation, ...present({ assign }) };
}

/** Names of fields or roles: one, or a list. */
export function namesOf(node: Node | undefined, scope: Scope): Located<string>[] | undefined {
  if (node === undefined) return undefined;
  if (isText(node)) return [{ value: node.value, at: node.at }];
  return listOf(node, scope).flatMap((item) => textOf(item, scope) ?? []);
}
