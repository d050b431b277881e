import { type Context, type Side, tokensOf } from './context.ts';
import type { Item } from './tree.ts';

/** What an item of the base and one of a side have in common: from 0 to 1. */
export function likeness(context: Context, side: Side, old: Item, item: Item): number {
  const before = tokensOf(context, 'base', old.node).map(spellingOf(context, side));
  return similarity(before, tokensOf(context, side, item.node));
}

/** How a side spells the tokens of the base. */
export function spellingOf({ rename }: Context, side: Side): (token: string) => string {
  return side === 'theirs' ? rename : (token) => token;
}

/** The share of the tokens of two texts that are in both. */
function similarity(left: readonly string[], right: readonly string[]): number {
  const rest = new Map<string, number>();
  for (const token of right) rest.set(token, (rest.get(token) ?? 0) + 1);
  const shared = left.filter((token) => {
    const count = rest.get(token) ?? 0;
    rest.set(token, count - 1);
    return count > 0;
  });
  return (2 * shared.length) / Math.max(1, left.length + right.length);
}
