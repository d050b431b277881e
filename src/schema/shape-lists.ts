import { foreignAccessKeys } from './foreign-words.ts';
import { accessKeys, groupKeys, linkKeys, membersKeys, ownerKeys } from './keys.ts';
import { present } from './present.ts';
import {
  byOperation,
  type FieldSchema,
  type Group,
  type LinkSchema,
  type Located,
  type MembersSchema,
  type ModelSchema,
  type OrderKeySchema,
  type OwnerSchema,
} from './schema.ts';
import {
  entriesOf,
  inside,
  isText,
  listOf,
  openMap,
  reportKind,
  type Scope,
  textOf,
} from './shape.ts';
import { type Node, partOf, type ScalarNode } from './source.ts';

/** What is longer has too many keys, whatever comes after. */
const longestOrder = 2000;

export function uniqueOf(node: Node | undefined, scope: Scope): Group<Located<string>>[] {
  return groupsOf(node, scope, (item) => textOf(item, scope) ?? []);
}

export function indexesOf(node: Node | undefined, scope: Scope): Group<OrderKeySchema>[] {
  return groupsOf(node, scope, (item) => keyOf(item, scope));
}

/**
 * The groups of `unique` or `indexes`; one that is not a list is left out, so that the rest is still checked. Fields that
 * are not grouped are one slip, reported once.
 */
function groupsOf<Key>(
  node: Node | undefined,
  scope: Scope,
  read: (item: Node) => Key | readonly Key[],
): Group<Key>[] {
  if (node?.kind === 'map') {
    reportKind(
      node,
      'a list of lists',
      scope,
      'write the names of fields, like `[[title, -views]]`',
    );
    return [];
  }
  const groups = listOf(node, scope);
  const names = groups.flatMap((group) => (isText(group) ? [group.value] : []));
  if (node !== undefined && names.length > 0 && names.length === groups.length) {
    const each = names.map((name) => `[${name}]`).join(', ');
    const both = `write \`[[${names.join(', ')}]]\``;
    const help = names.length === 1 ? both : `${both} for all together, or \`[${each}]\` for each`;
    reportKind(node, 'a list of lists', scope, help);
    return [];
  }
  return groups.map((group) => groupOf(group, scope, read)).filter(({ keys }) => keys.length > 0);
}

/** A list, or a map that says as well which rows are meant. */
function groupOf<Key>(
  node: Node,
  scope: Scope,
  read: (item: Node) => Key | readonly Key[],
): Group<Key> {
  if (node.kind !== 'map') return { keys: itemsOf(node, scope).flatMap(read) };
  const map = openMap(node, groupKeys, scope);
  const fields = map.need('fields', 'add the names of fields, like `fields: [title]`');
  return {
    keys: fields === undefined ? [] : itemsOf(fields, inside(scope, 'fields')).flatMap(read),
    ...present({ where: map.read('where', textOf) }),
  };
}

/** What holds between fields: `ends_on >= starts_on`. */
export function checksOf(node: Node | undefined, scope: Scope): Located<string>[] {
  return listOf(node, scope).flatMap((item) => textOf(item, scope) ?? []);
}

/** `-published_at`, `a,-b` or a list. */
export function orderOf(node: Node | undefined, scope: Scope): OrderKeySchema[] | undefined {
  if (node === undefined) return undefined;
  if (isText(node)) {
    if (node.value.trim() === '') reportEmpty(node, scope);
    const keys = [...node.value.slice(0, longestOrder).matchAll(/[^,]+/g)];
    return keys.map(({ 0: key, index }) => orderKey(node, key, index));
  }
  if (node.kind === 'list') return itemsOf(node, scope).flatMap((item) => keyOf(item, scope));
  reportKind(node, 'a field, like `-created_at`, or a list of fields', scope);
  return undefined;
}

function itemsOf(node: Node, scope: Scope): readonly Node[] {
  if (isText(node)) {
    reportKind(node, 'a list of lists', scope, `write \`[${node.value}]\``);
    return [];
  }
  if (node.kind === 'list' && node.items.length === 0) reportEmpty(node, scope);
  return listOf(node, scope);
}

function reportEmpty(node: Node, scope: Scope): void {
  scope.report({
    code: 'SCF220',
    at: node.at,
    message: `${scope.path} does not name any field`,
    help: 'name at least one, or remove it',
  });
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

/** Per operation an entry or a list of entries. */
export function accessOf(node: Node | undefined, scope: Scope): ModelSchema['access'] {
  if (node === undefined) return {};
  if (isText(node) && /^via\s/.test(node.value)) return present({ all: whoOf(node, scope) });
  if (isText(node)) {
    reportKind(node, 'a map of operation to who may', scope, `write \`{ read: ${node.value} }\``);
    return {};
  }
  const map = openMap(node, accessKeys, scope, foreignAccessKeys);
  return present({
    ...byOperation((name) => map.read(name, whoOf)),
    all: map.read('all', whoOf),
  });
}

/** An entry or a list of entries, any of which admits. */
export function whoOf(node: Node | undefined, scope: Scope): Located<string>[] | undefined {
  if (node === undefined) return undefined;
  const items = node.kind === 'list' ? node.items : [node];
  if (items.length === 0) {
    scope.report({
      code: 'SCF706',
      at: node.at,
      message: `${scope.path} admits nobody`,
      help: 'write `admin` for administrators only',
    });
  }
  return items.flatMap((item) => textOf(item, scope) ?? []);
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
  return relation && { relation, ...present({ assign: map.read('assign', namesOf) }) };
}

/** Names of fields or roles: one, or a list. */
export function namesOf(node: Node | undefined, scope: Scope): Located<string>[] | undefined {
  if (node === undefined) return undefined;
  if (isText(node)) return [{ value: node.value, at: node.at }];
  return listOf(node, scope).flatMap((item) => textOf(item, scope) ?? []);
}

/** By a word each: a model, or a map that says as well who counts, and what the maker of a row becomes. */
export function membersOf(node: Node | undefined, scope: Scope): MembersSchema[] {
  return entriesOf(node, scope).flatMap(({ name, key, value }) => {
    const inner = inside(scope, name);
    const word = { value: name, at: key.at };
    if (value.kind !== 'map') {
      const by = textOf(value, inner);
      return by === undefined ? [] : [{ word, by }];
    }
    const map = openMap(value, membersKeys, inner);
    const help = 'add the model whose rows name them, like `by: Membership`';
    const by = textOf(map.need('by', help), inside(inner, 'by'));
    const rest = present({ if: map.read('if', textOf), first: map.read('first', firstOf) });
    return by === undefined ? [] : [{ word, by, ...rest }];
  });
}

function firstOf(node: Node | undefined, scope: Scope): MembersSchema['first'] {
  if (node?.kind === 'scalar' && node.value === true) return { value: true, at: node.at };
  return textOf(node, scope);
}

/** The name of the secret, or a map that says as well which links count. */
export function linkOf(node: Node | undefined, scope: Scope): LinkSchema | undefined {
  if (node?.kind !== 'map') {
    const secret = textOf(node, scope);
    return secret && { secret };
  }
  const map = openMap(node, linkKeys, scope);
  const help = 'add the name of the secret, like `secret: token`';
  const secret = textOf(map.need('secret', help), inside(scope, 'secret'));
  return secret && { secret, ...present({ if: map.read('if', textOf) }) };
}

/** The field that a link means: the hash of its secret, which the server makes and nobody is shown. */
export const secretOf = ({ secret }: LinkSchema): FieldSchema => ({
  name: secret,
  type: { value: 'string', at: secret.at },
  max: { value: '43', at: secret.at },
  optional: true,
  unique: true,
  readonly: true,
  hidden: true,
  extensions: {},
});
