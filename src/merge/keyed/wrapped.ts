import { slice, type Context, type MergedText, type Sides, withItem } from './context.ts';
import { matchItems, type Matches } from './match.ts';
import { nodesIn, type Item, type List, type Node } from './tree.ts';
import { unmatchedRuns, type MatchedItems } from './unmatched-runs.ts';

/** The lists without the statements that the owner wrapped in a block and that are merged already. */
export interface ListsToMerge extends Matches {
  readonly lists: Sides<List>;
  /** The merged texts of the owner's blocks. */
  readonly wrappedTexts: ReadonlyMap<Item, MergedText>;
}

/** Finds statements that the owner wrapped in a `try` or an `if`, and merges them there. */
export function mergeWrapped(
  context: Context,
  lists: Sides<List>,
  matches: Matches,
): ListsToMerge | undefined {
  let listsToMerge: ListsToMerge = { ...matches, lists, wrappedTexts: new Map() };
  for (;;) {
    const next = mergeOneWrapped(context, listsToMerge);
    if (next === listsToMerge || next === undefined) return next;
    listsToMerge = next;
  }
}

/**
 * Merges the block that holds most of the missing statements; undefined if that is not possible. Returns its argument
 * if there is no such block.
 */
function mergeOneWrapped(context: Context, listsToMerge: ListsToMerge): ListsToMerge | undefined {
  const { toOurs, toTheirs } = listsToMerge;
  const { base, ours, theirs } = listsToMerge.lists;
  const missing = base?.items.filter((item) => item.isOrdered && !toOurs.has(item)) ?? [];
  if (!base || base.rule.separator !== '' || missing.length === 0) return listsToMerge;
  const found = findWrap(context, listsToMerge, missing);
  const run = found ? sliceRun(base.items, found.inside) : [];
  if (!found || run.some((item) => toOurs.has(item) && item !== found.taken)) return listsToMerge;
  const theirRun = followRun(base.items, run, theirs.items, toTheirs);
  const changes = unmatchedRuns(base.items, theirs.items, toTheirs);
  if (changes.some((change) => isUnclear(change, run, theirRun))) return undefined;
  const text = context.mergeNode(withItem(context, found.item), {
    base: part(base, run),
    ours: found.list,
    theirs: part(theirs, theirRun),
  });
  if (text === undefined) return undefined;
  const { item, list } = found;
  const before = slice(context, 'ours', { start: item.full.start, end: list.start });
  const after = slice(context, 'ours', { start: list.end, end: item.node.end });
  return {
    lists: { base: withoutItems(base, run), ours, theirs: withoutItems(theirs, theirRun) },
    wrappedTexts: new Map([...listsToMerge.wrappedTexts, [item, [before, ...text, after]]]),
    toOurs: new Map([...toOurs].filter(([old]) => old !== found.taken)),
    toTheirs,
  };
}

interface Wrap {
  readonly item: Item;
  readonly list: List;
  readonly inside: readonly Item[];
  /** The item of the base with which it was matched. */
  readonly taken: Item | undefined;
}

function findWrap(
  context: Context,
  { lists, toOurs, wrappedTexts }: ListsToMerge,
  missing: readonly Item[],
): Wrap | undefined {
  const fromOurs = new Map([...toOurs].map(([old, item]) => [item, old]));
  const wraps = lists.ours.items
    .filter((item) => !wrappedTexts.has(item))
    .flatMap((item) => innerLists(item.node).map((list) => ({ item, list })))
    .map(({ item, list }): Wrap => {
      const taken = fromOurs.get(item);
      const sought = lists.base?.items.filter((it) => it === taken || missing.includes(it)) ?? [];
      const pair = { base: sought, side: 'ours', byPosition: false } as const;
      const inside = innerLists(list).flatMap(({ items }) => [
        ...matchItems(context, { ...pair, items }).keys(),
      ]);
      return { item, list, taken, inside: sought.filter((it) => inside.includes(it)) };
    })
    .filter(({ taken, inside }) => inside.some((it) => it !== taken))
    .filter((wrap) => !wrap.taken || wrap.inside.includes(wrap.taken) || isMistaken(context, wrap));
  return wraps.toSorted((left, right) => right.inside.length - left.inside.length)[0];
}

/** Whether a wrong match was made: the block begins differently and holds only missing items. */
function isMistaken(context: Context, { item, list, taken, inside }: Wrap): boolean {
  const [former] = taken ? innerLists(taken.node) : [];
  if (!taken || !former || inside.length < list.items.length) return false;
  const head = slice(context, 'ours', { start: item.node.start, end: list.start });
  return head !== slice(context, 'base', { start: taken.node.start, end: former.start });
}

/** Whether theirs replaced statements and it is unclear if the new ones belong in the block. */
function isUnclear(
  [oldItems, newItems]: readonly [readonly Item[], readonly Item[]],
  run: readonly Item[],
  theirRun: readonly Item[],
): boolean {
  const isInside =
    oldItems.every((it) => run.includes(it)) && newItems.every((it) => theirRun.includes(it));
  return newItems.length > 0 && !isInside && oldItems.some((it) => run.includes(it));
}

/** The statement lists inside a node, outermost first. */
function innerLists(node: Node): List[] {
  return [node, ...nodesIn(node)].filter(
    (it): it is List => it.kind === 'list' && it.rule.separator === '',
  );
}

/** The items from the first to the last of some. */
function sliceRun(items: readonly Item[], some: readonly Item[]): Item[] {
  const indexes = some.map((item) => items.indexOf(item));
  return items.slice(Math.min(...indexes), Math.max(-1, ...indexes) + 1);
}

/**
 * The same run in theirs, with items that were added inside it. Items added at an end belong to it if the run reaches
 * the end of the list.
 */
function followRun(
  base: readonly Item[],
  run: readonly Item[],
  items: readonly Item[],
  toTheirs: MatchedItems,
): Item[] {
  const indexes = run
    .flatMap((item) => toTheirs.get(item) ?? [])
    .map((item) => items.indexOf(item));
  if (indexes.length === 0) return run.length === base.length ? [...items] : [];
  const known = new Set(toTheirs.values());
  const isNew = (item: Item | undefined) => item !== undefined && !known.has(item);
  let [start, end] = [Math.min(...indexes), Math.max(...indexes) + 1];
  if (run[0] === base[0]) while (isNew(items[start - 1])) start -= 1;
  if (run.at(-1) === base.at(-1)) while (isNew(items[end])) end += 1;
  return items.slice(start, end);
}

function part(list: List, items: readonly Item[]): List {
  const start = items[0]?.full.start ?? list.inner.end;
  const span = { start, end: items.at(-1)?.full.end ?? start };
  return { ...list, ...span, inner: span, items };
}

function withoutItems(list: List, items: readonly Item[]): List {
  return { ...list, items: list.items.filter((item) => !items.includes(item)) };
}
