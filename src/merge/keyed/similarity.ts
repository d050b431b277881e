import { type Context, type Side, tokensOf } from './context.ts';
import { sharedCount } from '../text.ts';
import type { Item } from './tree.ts';

/** From 0 to 1. */
export function measureSimilarity(context: Context, side: Side, old: Item, item: Item): number {
  const before = tokensOf(context, 'base', old.node).map(spellingOfSide(context, side));
  const after = tokensOf(context, side, item.node);
  return (2 * sharedCount(before, after)) / Math.max(1, before.length + after.length);
}

export function spellingOfSide({ rename }: Context, side: Side): (token: string) => string {
  return side === 'theirs' ? rename : (token) => token;
}
