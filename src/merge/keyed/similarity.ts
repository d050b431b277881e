import { type Context, type Side, tokensOf } from './context.ts';
import { sharedCount } from '../text.ts';
import type { Item } from './tree.ts';

/** How similar an item of the base and one of a side are: from 0 to 1. */
export function likeness(context: Context, side: Side, old: Item, item: Item): number {
  const before = tokensOf(context, 'base', old.node).map(spellingOf(context, side));
  const after = tokensOf(context, side, item.node);
  return (2 * sharedCount(before, after)) / Math.max(1, before.length + after.length);
}

/** How a side spells the tokens of the base. */
export function spellingOf({ rename }: Context, side: Side): (token: string) => string {
  return side === 'theirs' ? rename : (token) => token;
}
