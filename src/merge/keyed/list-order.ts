import type { MergedItem } from './merged-item.ts';
import type { Sides } from './context.ts';
import { isReordered, type Matches } from './match.ts';
import type { MergedItems } from './merge-items.ts';
import type { List, Item } from './tree.ts';
import type { MatchedItems } from './unmatched-runs.ts';

/** Whether one side moved items whose order matters, so that the position of the other side's changes is unclear. */
export function isOutOfOrder({ base, ours, theirs }: Sides<List>, matches: Matches): boolean {
  if (!base || ![base, ours, theirs].some(({ rule }) => rule.order === 'fixed')) return false;
  const { toOurs, toTheirs } = matches;
  const byOurs = isReordered(base.items, ours.items, toOurs);
  const byTheirs = isReordered(base.items, theirs.items, toTheirs);
  const both = base.items.flatMap((item) => {
    const [our, their] = [toOurs.get(item), toTheirs.get(item)];
    return item.isOrdered && our && their ? [[our, their] as const] : [];
  });
  if (byOurs && byTheirs) return !isSameOrder(both, ours.items, theirs.items);
  const theirOrder = new Map(both.map(([our, their]) => [their, ours.items.indexOf(our)]));
  const ourOrder = new Map(both.map(([our, their]) => [our, theirs.items.indexOf(their)]));
  return (
    (byOurs && addsBetween(theirs.items, toTheirs, theirOrder)) ||
    (byTheirs && addsBetween(ours.items, toOurs, ourOrder))
  );
}

function isSameOrder(
  both: readonly (readonly [our: Item, their: Item])[],
  ours: readonly Item[],
  theirs: readonly Item[],
): boolean {
  const inOurs = both.toSorted(([left], [right]) => ours.indexOf(left) - ours.indexOf(right));
  const indexes = inOurs.map(([, their]) => theirs.indexOf(their));
  return indexes.every((at, index) => index === 0 || (indexes[index - 1] ?? 0) < at);
}

/** Whether a new item is between two items that the other side swapped. `indexes`: where they are there. */
function addsBetween(
  items: readonly Item[],
  known: MatchedItems,
  indexes: ReadonlyMap<Item, number>,
): boolean {
  const matched = new Set(known.values());
  return items.some((item, index) => {
    if (!item.isOrdered || matched.has(item)) return false;
    const before = items.slice(0, index).findLast((it) => indexes.has(it));
    const after = items.slice(index + 1).find((it) => indexes.has(it));
    return before && after && (indexes.get(before) ?? 0) > (indexes.get(after) ?? 0);
  });
}

/** The merged items in the order of ours, or of theirs if only theirs changed the order. */
export function orderItems(
  decided: MergedItems,
  lists: Sides<List>,
  matches: Matches,
): MergedItem[] {
  const base = lists.base?.items ?? [];
  const { ours, theirs } = lists;
  const isTheirs =
    isAsInBase(base, ours.items, matches.toOurs) ||
    (ours.rule.order === 'fixed' &&
      isReordered(base, theirs.items, matches.toTheirs) &&
      !isReordered(base, ours.items, matches.toOurs));
  const items = insertNewItems(decided, theirs.items);
  return isTheirs ? followTheirs(items, theirs.items) : items;
}

/** Whether ours added and moved nothing. Imports count, as moving one would later look like an edit of the owner's. */
function isAsInBase(base: readonly Item[], ours: readonly Item[], found: MatchedItems): boolean {
  const kept = base.flatMap((item) => found.get(item) ?? []);
  return kept.length === ours.length && kept.every((item, index) => item === ours[index]);
}

/** Puts each new item of theirs after its neighbour in theirs. */
function insertNewItems({ kept, inserted }: MergedItems, theirs: readonly Item[]): MergedItem[] {
  const items = [...kept];
  for (const item of inserted) {
    const at = item.theirs ? theirs.indexOf(item.theirs) : -1;
    const before = findFirstIndex(items, theirs.slice(0, at).toReversed());
    const after = findFirstIndex(items, theirs.slice(at + 1));
    items.splice(before === undefined ? (after ?? items.length) : before + 1, 0, item);
  }
  return items;
}

/** Sorts items like theirs. Items that only ours has stay after the same neighbour. */
function followTheirs(items: readonly MergedItem[], theirs: readonly Item[]): MergedItem[] {
  const indexInTheirs = ({ theirs: item }: MergedItem) => (item ? theirs.indexOf(item) : -1);
  const ordered = items
    .filter((item) => item.theirs)
    .toSorted((left, right) => indexInTheirs(left) - indexInTheirs(right));
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (!item.theirs) ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, item);
  }
  return ordered;
}

/** The position of the first of some items of theirs that the merged list has. */
function findFirstIndex(merged: readonly MergedItem[], items: readonly Item[]): number | undefined {
  const indexes = items.map((item) => merged.findIndex(({ theirs }) => theirs === item));
  return indexes.find((index) => index >= 0);
}

/** Whether new items of both sides may stand next to each other wherever they do. */
export function canStandTogether(
  items: readonly MergedItem[],
  { ours, theirs }: Sides<List>,
): boolean {
  const isFixed = ours.rule.order === 'fixed' || theirs.rule.order === 'fixed';
  return newRuns(items).every((run) => {
    const ourItems = run.flatMap((it) => (it.theirs ? [] : (it.ours ?? [])));
    const theirItems = run.flatMap((it) => (it.ours ? [] : (it.theirs ?? [])));
    if (ourItems.length === 0 || theirItems.length === 0) return true;
    const leaves = [...ourItems, ...theirItems].some((item) => item.mayExit());
    return ours.rule.allowsBothNew && !(isFixed && leaves);
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
