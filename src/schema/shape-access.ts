import { foreignAccessKeys } from './foreign-words.ts';
import { present } from './present.ts';
import type { EndpointName, Located, ModelSchema } from './schema.ts';
import { inside, isText, openMap, reportKind, textOf, type Scope } from './shape.ts';
import type { Node } from './source.ts';

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

/** Per operation a word or a list of words. */
export function accessOf(node: Node | undefined, scope: Scope): ModelSchema['access'] {
  if (node === undefined) return {};
  if (isText(node)) {
    reportKind(node, 'a map of operation to who may', scope, `write \`{ read: ${node.value} }\``);
    return {};
  }
  const map = openMap(node, endpointNames, scope, foreignAccessKeys);
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
  if (node.kind !== 'list') return [textOf(node, scope) ?? []].flat();
  if (node.items.length === 0) {
    scope.report({
      code: 'SCF706',
      at: node.at,
      message: `${scope.path} admits nobody`,
      help: 'write `admin` for administrators only, or leave the operation out of `endpoints`',
    });
  }
  return node.items.flatMap((item) => textOf(item, scope) ?? []);
}
