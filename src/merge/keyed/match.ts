import { isEqual, tokensOf, type Context, type Side } from './context.ts';
import type { Item } from './tree.ts';

/** Items of the base and what became of them on one side. */
export type Matching = ReadonlyMap<Item, Item>;

export interface Pair {
  readonly base: readonly Item[];
  readonly items: readonly Item[];
  readonly side: Exclude<Side, 'base'>;
  readonly byPlace: boolean;
}

/** By key; then what is known by less; then, where items have no names, by place. */
export function matchItems(context: Context, pair: Pair): Matching {
  const found = new Map<Item, Item>();
  matchKeys(context, pair, found);
  if (pair.side === 'mine') matchAliases(pair, found);
  if (pair.byPlace) matchPlaces(pair, found);
  return found;
}

function matchKeys(context: Context, { base, items, side }: Pair, found: Map<Item, Item>): void {
  const spell = side === 'theirs' ? context.rename : (token: string) => token;
  const keyOf = ({ key }: Item) => key.split(' ').map(spell).join(' ');
  const groups = groupBy(items, ({ key }) => key);
  for (const [key, olds] of groupBy(base, keyOf)) {
    const news = groups.get(key) ?? [];
    const free = new Set(news);
    const tokens = (item: Item) => tokensOf(context, 'base', item.full).map(spell);
    if (olds.length > 1 || news.length > 1)
      for (const old of olds) {
        const equal = [...free].find((it) =>
          isEqual(tokensOf(context, side, it.full), tokens(old)),
        );
        if (equal) take(old, equal, found, free);
      }
    for (const old of olds) {
      const [next] = free;
      if (next && !found.has(old)) take(old, next, found, free);
    }
  }
}

function take(old: Item, item: Item, found: Map<Item, Item>, free: Set<Item>): void {
  found.set(old, item);
  free.delete(item);
}

/** The user may have given a variable another name, or an `if` another condition. */
function matchAliases({ base, items }: Pair, found: Map<Item, Item>): void {
  const taken = new Set(found.values());
  const news = groupBy(
    items.filter((it) => !taken.has(it)),
    ({ alias }) => alias,
  );
  const olds = groupBy(
    base.filter((it) => !found.has(it)),
    ({ alias }) => alias,
  );
  for (const [alias, [old, otherOld]] of olds) {
    const [item, otherItem] = news.get(alias) ?? [];
    if (alias !== undefined && old && item && !otherOld && !otherItem) found.set(old, item);
  }
}

/** Between two matched neighbours, as many of one as of the other: they are the same, changed. */
function matchPlaces({ base, items }: Pair, found: Map<Item, Item>): void {
  for (const [olds, news] of runsBetween(base, items, found))
    if (olds.length === news.length)
      for (const [index, old] of olds.entries()) {
        const item = news[index];
        if (item) found.set(old, item);
      }
}

/** What stands unmatched behind the same item, in the base and on one side. */
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

/** Whether one side changed the order of items that mind. */
export function isReordered(base: readonly Item[], items: readonly Item[], found: Matching): boolean {
  const places = base
    .filter(({ placed }) => placed)
    .flatMap((item) => found.get(item) ?? [])
    .map((item) => items.indexOf(item));
  return places.some((place, index) => place < (places[index - 1] ?? 0));
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
