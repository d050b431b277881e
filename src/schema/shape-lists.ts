import type { Located, OrderKeySchema } from './schema.ts';
import { isText, listOf, reportKind, textOf, type Scope } from './shape.ts';
import { partOf, type Node, type ScalarNode } from './source.ts';

/** What is longer has too many keys, whatever comes after. */
const longestOrder = 2000;

/** The groups of `unique` or `indexes`. Fields that are not grouped are one slip, told once. */
export function groupsOf(node: Node, scope: Scope): readonly Node[] {
  const groups = listOf(node, scope);
  const names = groups.flatMap((group) => (isText(group) ? [group.value] : []));
  if (names.length === 0 || names.length < groups.length) return groups;
  const each = names.map((name) => `[${name}]`).join(', ');
  const both = `write \`[[${names.join(', ')}]]\``;
  const help = names.length === 1 ? both : `${both} for all together, or \`[${each}]\` for each`;
  reportKind(node, 'a list of lists', scope, help);
  return [];
}

/** One group of `unique`: none where it is not a list, so that the rest is still checked. */
export function groupOf(node: Node, scope: Scope): Located<string>[][] {
  const names = itemsOf(node, scope).flatMap((item) => textOf(item, scope) ?? []);
  return names.length === 0 ? [] : [names];
}

/** One of `indexes`. */
export function indexOf(node: Node, scope: Scope): OrderKeySchema[][] {
  const keys = itemsOf(node, scope).flatMap((item) => keyOf(item, scope));
  return keys.length === 0 ? [] : [keys];
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
    message: `${scope.path} names no field`,
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
