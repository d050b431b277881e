import { type Context, tokensOf } from './context.ts';
import { hasSameKey } from './key.ts';
import type { Sought } from './match.ts';
import { type Matching, runsBetween } from './unmatched-runs.ts';
import { type Item, isComment } from './tree.ts';
import { likeness } from './similarity.ts';

/** New items of both sides that want the same name. */
export function findRivals(newMine: readonly Item[], newTheirs: readonly Item[]): Map<Item, Item> {
  const rivals = new Map<Item, Item>();
  for (const item of newTheirs) {
    const free = newMine.filter((it) => !rivals.has(it));
    const rival = free.find((it) => hasSameKey(it, item)) ?? free.find((it) => bindsSame(it, item));
    if (rival) rivals.set(rival, item);
  }
  return rivals;
}

export function bindsSame(left: Item, right: Item): boolean {
  return left.binds.some(({ name }) => right.binds.some((it) => it.name === name));
}

export function inverse(found: Matching): Map<Item, Item> {
  return new Map([...found].map(([base, item]) => [item, base]));
}

/**
 * Items that seem to replace others, under another name or in other words. That is not certain, so they are not merged:
 * if the other side changed or deleted the old one, it is a conflict.
 */
export function findReplaced(
  context: Context,
  { base, items, side }: Pick<Sought, 'base' | 'items' | 'side'>,
  found: Matching,
): Map<Item, Item> {
  const replaced = new Map<Item, Item>();
  for (const [olds, news] of runsBetween(solid(base), solid(items), found)) {
    const free = new Set(news);
    for (const old of olds) {
      const rewrite = [...free].find((item) => isLike(context, side, old, item));
      if (rewrite) replaced.set(rewrite, old);
      if (rewrite) free.delete(rewrite);
    }
  }
  return replaced;
}

/** An import in the place of another is another import. */
function solid(items: readonly Item[]): Item[] {
  return items.filter((item) => !isComment(item) && !item.unites);
}

/** Mostly the same words; for a single word, a part of it. */
function isLike(context: Context, side: Sought['side'], old: Item, item: Item): boolean {
  // A new name on their side means a different thing, unless all the rest of it is the same.
  if (side === 'theirs') return likeness(context, side, old, item) >= 0.9;
  const [from = '', ...before] = tokensOf(context, 'base', old.node);
  const [to = '', ...after] = tokensOf(context, side, item.node);
  if (before.length + after.length === 0) return from.includes(to) || to.includes(from);
  return likeness(context, side, old, item) >= 0.5;
}
