import type { MergedItem } from './merged-item.ts';
import type { Sides } from './context.ts';
import { isReordered, type Matches } from './match.ts';
import type { MergedItems } from './merge-items.ts';
import type { List, Item } from './tree.ts';
import type { MatchedItems } from './unmatched-runs.ts';

/** Whether one side moved items whose order matters, so that the place of the other side's changes is unclear. */
export function isOutOfOrder({ base, mine, theirs }: Sides<List>, matches: Matches): boolean {
  if (!base || ![base, mine, theirs].some(({ rule }) => rule.order === 'fixed')) return false;
  const { toMine, toTheirs } = matches;
  const byMine = isReordered(base.items, mine.items, toMine);
  const byTheirs = isReordered(base.items, theirs.items, toTheirs);
  const both = base.items.flatMap((item) => {
    const [ours, news] = [toMine.get(item), toTheirs.get(item)];
    return item.isOrdered && ours && news ? [[ours, news] as const] : [];
  });
  if (byMine && byTheirs) return !isSameOrder(both, mine.items, theirs.items);
  const news = new Map(both.map(([our, its]) => [its, mine.items.indexOf(our)]));
  const ours = new Map(both.map(([our, its]) => [our, theirs.items.indexOf(its)]));
  return (
    (byMine && addsBetween(theirs.items, toTheirs, news)) ||
    (byTheirs && addsBetween(mine.items, toMine, ours))
  );
}

function isSameOrder(
  both: readonly (readonly [ours: Item, news: Item])[],
  mine: readonly Item[],
  theirs: readonly Item[],
): boolean {
  const inMine = both.toSorted(([left], [right]) => mine.indexOf(left) - mine.indexOf(right));
  const places = inMine.map(([, news]) => theirs.indexOf(news));
  return places.every((place, index) => index === 0 || (places[index - 1] ?? 0) < place);
}

/** Whether a new item is between two items that the other side swapped. `places`: their positions there. */
function addsBetween(
  items: readonly Item[],
  known: MatchedItems,
  places: ReadonlyMap<Item, number>,
): boolean {
  const matched = new Set(known.values());
  return items.some((item, index) => {
    if (!item.isOrdered || matched.has(item)) return false;
    const before = items.slice(0, index).findLast((it) => places.has(it));
    const after = items.slice(index + 1).find((it) => places.has(it));
    return before && after && (places.get(before) ?? 0) > (places.get(after) ?? 0);
  });
}

/** The merged items in the order of mine, or of theirs if only theirs changed the order. */
export function orderItems(
  decided: MergedItems,
  lists: Sides<List>,
  matches: Matches,
): MergedItem[] {
  const base = lists.base?.items ?? [];
  const { mine, theirs } = lists;
  const isTheirs =
    isAsInBase(base, mine.items, matches.toMine) ||
    (mine.rule.order === 'fixed' &&
      isReordered(base, theirs.items, matches.toTheirs) &&
      !isReordered(base, mine.items, matches.toMine));
  const items = insertNewItems(decided, theirs.items);
  return isTheirs ? followTheirs(items, theirs.items) : items;
}

/** Whether mine added and moved nothing. Imports count, as moving one would later look like an edit of the owner's. */
function isAsInBase(base: readonly Item[], mine: readonly Item[], found: MatchedItems): boolean {
  const kept = base.flatMap((item) => found.get(item) ?? []);
  return kept.length === mine.length && kept.every((item, index) => item === mine[index]);
}

/** Puts each new item of theirs after its neighbour in theirs. */
function insertNewItems({ kept, inserted }: MergedItems, theirs: readonly Item[]): MergedItem[] {
  const items = [...kept];
  for (const item of inserted) {
    const at = item.theirs ? theirs.indexOf(item.theirs) : -1;
    const before = firstPlaceOf(items, theirs.slice(0, at).toReversed());
    const after = firstPlaceOf(items, theirs.slice(at + 1));
    items.splice(before === undefined ? (after ?? items.length) : before + 1, 0, item);
  }
  return items;
}

/** Sorts items like theirs. Items that only mine has stay after the same neighbour. */
function followTheirs(items: readonly MergedItem[], theirs: readonly Item[]): MergedItem[] {
  const place = ({ theirs: item }: MergedItem) => (item ? theirs.indexOf(item) : -1);
  const ordered = items
    .filter((item) => item.theirs)
    .toSorted((left, right) => place(left) - place(right));
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (!item.theirs) ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, item);
  }
  return ordered;
}

/** The position of the first of some items of theirs that the merged list has. */
function firstPlaceOf(merged: readonly MergedItem[], items: readonly Item[]): number | undefined {
  const places = items.map((item) => merged.findIndex(({ theirs }) => theirs === item));
  return places.find((place) => place >= 0);
}

/** Whether new items of both sides may stand next to each other wherever they do. */
export function canStandTogether(
  items: readonly MergedItem[],
  { mine, theirs }: Sides<List>,
): boolean {
  const isFixed = mine.rule.order === 'fixed' || theirs.rule.order === 'fixed';
  return newRuns(items).every((run) => {
    const ours = run.flatMap((it) => (it.theirs ? [] : (it.mine ?? [])));
    const news = run.flatMap((it) => (it.mine ? [] : (it.theirs ?? [])));
    if (ours.length === 0 || news.length === 0) return true;
    const leaves = [...ours, ...news].some((item) => item.mayExit());
    return mine.rule.allowsBothNew && !(isFixed && leaves);
  });
}

/** Neighbouring items that are not in the base. */
function newRuns(items: readonly MergedItem[]): MergedItem[][] {
  const runs: MergedItem[][] = [[]];
  for (const item of items) {
    if (item.isNew) runs.at(-1)?.push(item);
    else runs.push([]);
  }
  return runs;
}
