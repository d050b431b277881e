import { tokensOf, type Context } from './context.ts';
import { isCommentKey } from './layout.ts';
import { runsBetween, type Matching } from './match.ts';
import type { Item } from './tree.ts';

/**
 * Items that mine seems to have put in the place of others, by another name. It is not certain, so they are
 * not merged: when theirs changed the old one, it is a conflict.
 */
export function findReplaced(
  context: Context,
  { base, mine, toMine }: { base: readonly Item[]; mine: readonly Item[]; toMine: Matching },
): Map<Item, Item> {
  const replaced = new Map<Item, Item>();
  const solid = (items: readonly Item[]) => items.filter(({ key }) => !isCommentKey(key));
  for (const [olds, news] of runsBetween(solid(base), solid(mine), toMine)) {
    const free = new Set(news);
    for (const [index, old] of olds.entries()) {
      const atPlace = olds.length === news.length ? news[index] : undefined;
      const found = [...free].find((item) => isLike(context, { old, item, isAtPlace: item === atPlace }));
      if (found) replaced.set(found, old);
      if (found) free.delete(found);
    }
  }
  return replaced;
}

interface Pair {
  readonly old: Item;
  readonly item: Item;
  readonly isAtPlace: boolean;
}

/** At the same place, what is too short to be compared. */
function isLike(context: Context, { old, item, isAtPlace }: Pair): boolean {
  const before = tokensOf(context, 'base', old.node);
  const after = tokensOf(context, 'mine', item.node);
  if (isAtPlace && before.length <= 3 && after.length <= 3) return true;
  const rest = new Map<string, number>();
  for (const token of after) rest.set(token, (rest.get(token) ?? 0) + 1);
  const shared = before.filter((token) => {
    const count = rest.get(token) ?? 0;
    rest.set(token, count - 1);
    return count > 0;
  });
  return (2 * shared.length) / (before.length + after.length) >= 0.5;
}
