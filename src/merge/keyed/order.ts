import type { Place } from './context.ts';
import { isReordered, type Matches } from './match.ts';
import type { Matching } from './unmatched-runs.ts';
import type { Item, List } from './tree.ts';

/** One side moved what minds its place, and the other side's changes no longer tell where they belong. */
export function isOutOfOrder({ base, mine, theirs }: Place<List>, matches: Matches): boolean {
  if (!base || ![base, mine, theirs].some(({ rule }) => rule.order === 'fixed')) return false;
  const { toMine, toTheirs } = matches;
  const byMine = isReordered(base.items, mine.items, toMine);
  const byTheirs = isReordered(base.items, theirs.items, toTheirs);
  const pairs = base.items.flatMap((item): Pair[] => {
    const [ours, news] = [toMine.get(item), toTheirs.get(item)];
    return item.placed && ours && news ? [{ ours, news }] : [];
  });
  if (byMine && byTheirs) return !isSameOrder(pairs, mine.items, theirs.items);
  const news = new Map(pairs.map((pair) => [pair.news, mine.items.indexOf(pair.ours)]));
  const ours = new Map(pairs.map((pair) => [pair.ours, theirs.items.indexOf(pair.news)]));
  return (
    (byMine && addsBetween(theirs.items, { known: toTheirs, places: news })) ||
    (byTheirs && addsBetween(mine.items, { known: toMine, places: ours }))
  );
}

interface Pair {
  readonly ours: Item;
  readonly news: Item;
}

function isSameOrder(
  pairs: readonly Pair[],
  mine: readonly Item[],
  theirs: readonly Item[],
): boolean {
  const inMine = pairs.toSorted(
    (left, right) => mine.indexOf(left.ours) - mine.indexOf(right.ours),
  );
  return inMine.every(({ news }, index) => {
    const next = inMine[index + 1]?.news;
    return next === undefined || theirs.indexOf(news) < theirs.indexOf(next);
  });
}

interface OtherOrder {
  readonly known: Matching;
  /** Where the other side has what both have. */
  readonly places: ReadonlyMap<Item, number>;
}

/** Something new stands between two that the other side has the other way round. */
function addsBetween(items: readonly Item[], { known, places }: OtherOrder): boolean {
  const matched = new Set(known.values());
  return items.some((item, index) => {
    if (!item.placed || matched.has(item)) return false;
    const before = items.slice(0, index).findLast((it) => places.has(it));
    const after = items.slice(index + 1).find((it) => places.has(it));
    return before && after && (places.get(before) ?? 0) > (places.get(after) ?? 0);
  });
}
