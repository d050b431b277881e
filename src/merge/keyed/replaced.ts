import { type Context, tokensOf } from './context.ts';
import { hasSameKey } from './key.ts';
import type { MatchInput } from './match.ts';
import { type MatchedItems, unmatchedRuns } from './unmatched-runs.ts';
import { type Item, isComment } from './tree.ts';
import { measureSimilarity } from './similarity.ts';

/** Pairs new items of both sides that have the same name. */
export function pairRivals(newOurs: readonly Item[], newTheirs: readonly Item[]): Map<Item, Item> {
  const rivals = new Map<Item, Item>();
  for (const item of newTheirs) {
    const free = newOurs.filter((it) => !rivals.has(it));
    const rival =
      free.find((it) => hasSameKey(it, item)) ?? free.find((it) => haveSameBinding(it, item));
    if (rival) rivals.set(rival, item);
  }
  return rivals;
}

export function haveSameBinding(left: Item, right: Item): boolean {
  return left.bindings.some(({ name }) => right.bindings.some((it) => it.name === name));
}

export function invertMatches(found: MatchedItems): Map<Item, Item> {
  return new Map([...found].map(([base, item]) => [item, base]));
}

/**
 * Items that seem to replace others, under another name or in other words. They are not merged, because that is not
 * certain; if the other side changed or deleted the old item, it is a conflict.
 */
export function pairReplaced(
  context: Context,
  { base, items, side }: Pick<MatchInput, 'base' | 'items' | 'side'>,
  found: MatchedItems,
): Map<Item, Item> {
  const replaced = new Map<Item, Item>();
  for (const [oldItems, newItems] of unmatchedRuns(
    withoutCommentsAndImports(base),
    withoutCommentsAndImports(items),
    found,
  )) {
    const free = new Set(newItems);
    for (const old of oldItems) {
      const rewrite = [...free].find((item) => isRewrite(context, side, old, item));
      if (rewrite) replaced.set(rewrite, old);
      if (rewrite) free.delete(rewrite);
    }
  }
  return replaced;
}

/** An import never replaces another one. */
function withoutCommentsAndImports(items: readonly Item[]): Item[] {
  return items.filter((item) => !isComment(item) && !item.isImport);
}

/** Whether an item has most words of an old one. Of single words, one contains the other. */
function isRewrite(context: Context, side: MatchInput['side'], old: Item, item: Item): boolean {
  // In theirs, a new name means a different thing unless the rest is the same.
  if (side === 'theirs') return measureSimilarity(context, side, old, item) >= 0.9;
  const [from = '', ...before] = tokensOf(context, 'base', old.node);
  const [to = '', ...after] = tokensOf(context, side, item.node);
  if (before.length + after.length === 0) return from.includes(to) || to.includes(from);
  return measureSimilarity(context, side, old, item) >= 0.5;
}
