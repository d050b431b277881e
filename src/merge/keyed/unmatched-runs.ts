import type { Item } from './tree.ts';

/** Items of the base and what became of them on one side. */
export type Matching = ReadonlyMap<Item, Item>;

/** Unmatched items after the same item, in the base and on one side. */
export function runsBetween(
  base: readonly Item[],
  items: readonly Item[],
  found: Matching,
): [readonly Item[], readonly Item[]][] {
  const taken = new Set(found.values());
  const places = new Map(gaps(items, (it) => (taken.has(it) ? it : undefined)));
  return gaps(base, (item) => found.get(item)).map(([after, olds]) => [
    olds,
    places.get(after) ?? [],
  ]);
}

/** Runs of unmatched items, by the matched one before them. */
function gaps(
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
