import type { Item } from './tree.ts';

/** The items of one side, by the items of the base that they match. */
export type MatchedItems = ReadonlyMap<Item, Item>;

/** Pairs runs of unmatched items in the base and on one side that follow the same matched item. */
export function unmatchedRuns(
  base: readonly Item[],
  items: readonly Item[],
  found: MatchedItems,
): [readonly Item[], readonly Item[]][] {
  const taken = new Set(found.values());
  const runs = new Map(runsByPredecessor(items, (it) => (taken.has(it) ? it : undefined)));
  return runsByPredecessor(base, (item) => found.get(item)).map(([after, olds]) => [
    olds,
    runs.get(after) ?? [],
  ]);
}

/** Runs of unmatched items, each with the matched item before it. */
function runsByPredecessor(
  items: readonly Item[],
  matched: (item: Item) => Item | undefined,
): [Item | undefined, Item[]][] {
  const runs: [Item | undefined, Item[]][] = [[undefined, []]];
  for (const item of items) {
    const known = matched(item);
    if (known) runs.push([known, []]);
    else runs.at(-1)?.[1].push(item);
  }
  return runs;
}
