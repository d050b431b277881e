import { slice, type Context, type MergedText, type Sides, within } from './context.ts';
import { matchItems, type Matches } from './match.ts';
import { nodesIn, type Item, type List, type Node } from './tree.ts';
import { runsBetween, type Matching } from './unmatched-runs.ts';

/** What is left to merge after statements that the user wrapped in a block were merged inside it. */
export interface Lifted extends Matches {
  readonly place: Sides<List>;
  /** The user's block, with what it holds merged. */
  readonly texts: ReadonlyMap<Item, MergedText>;
}

/** Finds the statements that mine wrapped, in a `try` or an `if`, and merges them where they are now. */
export function liftWrapped(
  context: Context,
  place: Sides<List>,
  matches: Matches,
): Lifted | undefined {
  let lifted: Lifted = { ...matches, place, texts: new Map() };
  for (;;) {
    const next = liftOne(context, lifted);
    if (next === lifted || next === undefined) return next;
    lifted = next;
  }
}

/** The block that holds most of what is missing; the same as before when there is none. */
function liftOne(context: Context, lifted: Lifted): Lifted | undefined {
  const { toMine, toTheirs } = lifted;
  const { base, mine, theirs } = lifted.place;
  const missing = base?.items.filter((item) => item.placed && !toMine.has(item)) ?? [];
  if (!base || base.rule.separator !== '' || missing.length === 0) return lifted;
  const found = findWrap(context, lifted, missing);
  const run = found ? runOf(base.items, found.inside) : [];
  if (!found || run.some((item) => toMine.has(item) && item !== found.taken)) return lifted;
  const theirRun = followRun(base.items, run, theirs.items, toTheirs);
  const changes = runsBetween(base.items, theirs.items, toTheirs);
  if (changes.some((change) => isOnTheEdge(change, run, theirRun))) return undefined;
  const text = context.mergeNode(within(context, found.item), {
    base: part(base, run),
    mine: found.list,
    theirs: part(theirs, theirRun),
  });
  if (text === undefined) return undefined;
  const { item, list } = found;
  const before = slice(context, 'mine', { start: item.full.start, end: list.start });
  const after = slice(context, 'mine', { start: list.end, end: item.node.end });
  return {
    place: { base: without(base, run), mine, theirs: without(theirs, theirRun) },
    texts: new Map([...lifted.texts, [item, [before, ...text, after]]]),
    toMine: new Map([...toMine].filter(([old]) => old !== found.taken)),
    toTheirs,
  };
}

interface Wrap {
  readonly item: Item;
  readonly list: List;
  /** What of the base it holds. */
  readonly inside: readonly Item[];
  /** The item of the base that it was matched with, perhaps only because it contains that. */
  readonly taken: Item | undefined;
}

function findWrap(
  context: Context,
  { place, toMine, texts }: Lifted,
  missing: readonly Item[],
): Wrap | undefined {
  const fromMine = new Map([...toMine].map(([old, item]) => [item, old]));
  const wraps = place.mine.items
    .filter((item) => !texts.has(item))
    .flatMap((item) => innerLists(item.node).map((list) => ({ item, list })))
    .map(({ item, list }): Wrap => {
      const taken = fromMine.get(item);
      const sought = place.base?.items.filter((it) => it === taken || missing.includes(it)) ?? [];
      const pair = { base: sought, side: 'mine', byPlace: false } as const;
      const inside = innerLists(list).flatMap(({ items }) => [
        ...matchItems(context, { ...pair, items }).keys(),
      ]);
      return { item, list, taken, inside: sought.filter((it) => inside.includes(it)) };
    })
    .filter(({ taken, inside }) => inside.some((it) => it !== taken))
    .filter((wrap) => !wrap.taken || wrap.inside.includes(wrap.taken) || isMistaken(context, wrap));
  return wraps.toSorted((left, right) => right.inside.length - left.inside.length)[0];
}

/** It begins differently from its match and holds only what is missing, so the match was deleted. */
function isMistaken(context: Context, { item, list, taken, inside }: Wrap): boolean {
  const [former] = taken ? innerLists(taken.node) : [];
  if (!taken || !former || inside.length < list.items.length) return false;
  const head = slice(context, 'mine', { start: item.node.start, end: list.start });
  return head !== slice(context, 'base', { start: taken.node.start, end: former.start });
}

/** Whether theirs replaced a statement, and it is unclear whether the new one belongs in the block. */
function isOnTheEdge(
  [olds, news]: readonly [readonly Item[], readonly Item[]],
  run: readonly Item[],
  theirRun: readonly Item[],
): boolean {
  const isInside =
    olds.every((it) => run.includes(it)) && news.every((it) => theirRun.includes(it));
  return news.length > 0 && !isInside && olds.some((it) => run.includes(it));
}

/** The lists of statements inside a node, outermost first. */
function innerLists(node: Node): List[] {
  return [node, ...nodesIn(node)].filter(
    (it): it is List => it.kind === 'list' && it.rule.separator === '',
  );
}

/** All items from the first of some to the last. */
function runOf(items: readonly Item[], some: readonly Item[]): Item[] {
  const places = some.map((item) => items.indexOf(item));
  return items.slice(Math.min(...places), Math.max(-1, ...places) + 1);
}

/** The same run in theirs, with what was added inside, and at an end where the run is all there was. */
function followRun(
  base: readonly Item[],
  run: readonly Item[],
  items: readonly Item[],
  toTheirs: Matching,
): Item[] {
  const places = run.flatMap((item) => toTheirs.get(item) ?? []).map((item) => items.indexOf(item));
  if (places.length === 0) return run.length === base.length ? [...items] : [];
  const known = new Set(toTheirs.values());
  const isNew = (item: Item | undefined) => item !== undefined && !known.has(item);
  let [start, end] = [Math.min(...places), Math.max(...places) + 1];
  if (run[0] === base[0]) while (isNew(items[start - 1])) start -= 1;
  if (run.at(-1) === base.at(-1)) while (isNew(items[end])) end += 1;
  return items.slice(start, end);
}

function part(list: List, items: readonly Item[]): List {
  const start = items[0]?.full.start ?? list.inner.end;
  const span = { start, end: items.at(-1)?.full.end ?? start };
  return { ...list, ...span, inner: span, items };
}

function without(list: List, items: readonly Item[]): List {
  return { ...list, items: list.items.filter((item) => !items.includes(item)) };
}
