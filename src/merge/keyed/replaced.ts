import { tokensOf, type Context } from './context.ts';
import { runsBetween, type Matching } from './unmatched-runs.ts';
import { similarity } from './similarity.ts';
import { isComment, type Item } from './tree.ts';

/**
 * Items that mine seems to have put in the place of others, by another name. It is not certain, so they are
 * not merged: when theirs changed the old one, it is a conflict.
 */
export function findReplaced(
  context: Context,
  { base, mine, toMine }: { base: readonly Item[]; mine: readonly Item[]; toMine: Matching },
): Map<Item, Item> {
  const replaced = new Map<Item, Item>();
  for (const [olds, news] of runsBetween(solid(base), solid(mine), toMine)) {
    const free = new Set(news);
    for (const old of olds) {
      const found = [...free].find((item) => isLike(context, old, item));
      if (found) replaced.set(found, old);
      if (found) free.delete(found);
    }
  }
  return replaced;
}

function solid(items: readonly Item[]): Item[] {
  return items.filter((item) => !isComment(item));
}

/** For the most part the same words; of a single word, a part. */
function isLike(context: Context, old: Item, item: Item): boolean {
  const before = tokensOf(context, 'base', old.node);
  const after = tokensOf(context, 'mine', item.node);
  const [from = '', to = ''] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1) return from.includes(to) || to.includes(from);
  return similarity(before, after) >= 0.5;
}
