import type { OpenConflict, Stretch } from '../markers.ts';
import { type Clash, findContested } from './contested.ts';
import {
  type Context,
  type Disputed,
  isEqual,
  type Printed,
  type Sides,
  slice,
} from './context.ts';
import { itemTokens } from './item.ts';
import { mergeLines } from './leaf.ts';
import { matchLists, isReordered, type Matches } from './match.ts';
import { findOwnNames } from './own-names.ts';
import { decidePieces, type Decided, type Piece } from './pieces.ts';
import { printList } from './print.ts';
import type { List, Item } from './tree.ts';
import type { Matching } from './unmatched-runs.ts';
import { liftWrapped } from './wrapped.ts';

/** Item by item, in the order of mine. */
export function mergeList(context: Context, lists: Sides<List>, where: string): Printed {
  const matches = matchLists(context, lists);
  context.noteOwnNames(findOwnNames(context, lists, matches));
  if (isOutOfOrder(lists, matches)) return clashBody(context, lists, where);
  const lifted = liftWrapped(context, lists, { where, ...matches });
  if (!lifted) return undefined;
  const clashes = findContested(context, lifted.place, lifted);
  const decided = decidePieces(context, { where, clashes, ...lifted });
  const pieces = joinClashes(context, orderPieces(decided, lists, matches));
  context.noteDisputed(findDisputed(pieces, lists));
  return standTogether(pieces, lifted.place)
    ? printList(context, pieces, lifted.place, where)
    : clashBody(context, lists, where);
}

/** What depends on the conflict right before it is a part of that one. */
function joinClashes(context: Context, pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const content = before && joinedTo(context, before.content, piece);
    if (content) joined.splice(-1, 1, { ...before, content });
    else joined.push(piece);
  }
  return joined;
}

function joinedTo(
  context: Context,
  before: Piece['content'],
  { content, base, mine, theirs }: Piece,
): Clash | undefined {
  if ('text' in before) return undefined;
  if (mine && !theirs && leansOn(context, mine, before))
    return { ...before, mine: [...before.mine, mine] };
  if ('text' in content || !base || !mine || !theirs) return undefined;
  const was = itemTokens(context, 'base', base);
  const isDependent =
    isEqual(was, itemTokens(context, 'mine', mine)) ||
    isEqual(was, itemTokens(context, 'theirs', theirs));
  if (!isDependent) return undefined;
  return {
    base: [...before.base, ...content.base],
    mine: [...before.mine, ...content.mine],
    theirs: [...before.theirs, ...content.theirs],
  };
}

/** Whether a statement of the owner's needs what a conflict declares on their side alone. */
function leansOn(context: Context, mine: Item, clash: Clash): boolean {
  const others = [...clash.base, ...clash.theirs].flatMap(bound);
  const names = clash.mine.flatMap(bound).filter((name) => !others.includes(name));
  const tokens = names.length === 0 ? [] : itemTokens(context, 'mine', mine);
  return names.some((name) => tokens.includes(name));
}

/** Names that a conflict declares, and one of the sides no more. */
function findDisputed(pieces: readonly Piece[], lists: Sides<List>): Disputed[] {
  const within = lists.base?.scope;
  if (!within) return [];
  const clashes = pieces.flatMap(({ content }) => ('text' in content ? [] : [content]));
  const names = clashes.flatMap((it) => it.base.filter(({ unites }) => !unites)).flatMap(bound);
  return (['mine', 'theirs'] as const).flatMap((missing) => {
    const known = new Set(lists[missing].items.flatMap(bound));
    return names.filter((name) => !known.has(name)).map((name) => ({ name, within, missing }));
  });
}

const bound = ({ binds }: Item) => binds.map(({ name }) => name);

/** A body that both sides changed in ways that do not go together: what touches is shown, and never passed. */
function clashBody(context: Context, lists: Sides<List>, where: string): Printed {
  const { base, mine, theirs } = lists;
  const inner = { base: base?.inner, mine: mine.inner, theirs: theirs.inner };
  const stretches = mergeLines(context, inner, mine.start);
  return stretches.some(isClash) ? printBody(context, lists.mine, where, stretches) : undefined;
}

function isClash(stretch: Stretch): stretch is OpenConflict {
  return typeof stretch !== 'string';
}

/** Nothing when a conflict at an end has no lines of its own. */
function printBody(
  context: Context,
  { start, inner, end }: List,
  where: string,
  stretches: readonly Stretch[],
): Printed {
  const ends = [stretches.at(0), stretches.at(-1)];
  if (inner.start > 0 && ends.some((it) => it !== undefined && isClash(it))) return undefined;
  const body = stretches
    .map((it) => (isClash(it) ? `${context.report({ ...it, where })}\n` : it))
    .join('');
  return (
    slice(context, 'mine', { start, end: inner.start }) +
    body +
    slice(context, 'mine', { start: inner.end, end })
  );
}

/** One side moved what minds its place, and the other side's changes no longer tell where they belong. */
function isOutOfOrder({ base, mine, theirs }: Sides<List>, matches: Matches): boolean {
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
    (byMine && addsBetween(theirs.items, toTheirs, news)) ||
    (byTheirs && addsBetween(mine.items, toMine, ours))
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

/** Something new stands between two that the other side has the other way round: `places` has where. */
function addsBetween(
  items: readonly Item[],
  known: Matching,
  places: ReadonlyMap<Item, number>,
): boolean {
  const matched = new Set(known.values());
  return items.some((item, index) => {
    if (!item.placed || matched.has(item)) return false;
    const before = items.slice(0, index).findLast((it) => places.has(it));
    const after = items.slice(index + 1).find((it) => places.has(it));
    return before && after && (places.get(before) ?? 0) > (places.get(after) ?? 0);
  });
}

/** The pieces in the order of mine; of theirs, where only they changed it. */
function orderPieces(decided: Decided, lists: Sides<List>, matches: Matches): Piece[] {
  const base = lists.base?.items ?? [];
  const { mine, theirs } = lists;
  const isTheirs =
    mine.rule.order === 'fixed' &&
    isReordered(base, theirs.items, matches.toTheirs) &&
    !isReordered(base, mine.items, matches.toMine);
  const pieces = insertPieces(decided, theirs.items);
  return isTheirs ? followTheirs(pieces, theirs.items) : pieces;
}

/** The pieces of mine in their order, each new one of theirs after the neighbour that it has there. */
function insertPieces({ kept, inserted }: Decided, theirs: readonly Item[]): Piece[] {
  const pieces = [...kept];
  for (const piece of inserted) {
    const at = piece.theirs ? theirs.indexOf(piece.theirs) : -1;
    const before = placeOfAny(pieces, theirs.slice(0, at).toReversed());
    const after = placeOfAny(pieces, theirs.slice(at + 1));
    pieces.splice(before === undefined ? (after ?? pieces.length) : before + 1, 0, piece);
  }
  return pieces;
}

/** Those that only mine has stay behind what they stood behind. */
function followTheirs(pieces: readonly Piece[], theirs: readonly Item[]): Piece[] {
  const place = ({ theirs: item }: Piece) => (item ? theirs.indexOf(item) : -1);
  const ordered = pieces
    .filter((piece) => piece.theirs)
    .toSorted((left, right) => place(left) - place(right));
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (!piece.theirs) ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, piece);
  }
  return ordered;
}

/** Where the first of the items stands that is there. */
function placeOfAny(pieces: readonly Piece[], items: readonly Item[]): number | undefined {
  const places = items.map((item) => pieces.findIndex(({ theirs }) => theirs === item));
  return places.find((place) => place >= 0);
}

/** The pieces, unless both sides put different ones at a place where that cannot be right. */
function standTogether(pieces: readonly Piece[], { mine, theirs }: Sides<List>): boolean {
  const isFixed = mine.rule.order === 'fixed' || theirs.rule.order === 'fixed';
  return newRuns(pieces).every((run) => {
    const ours = run.flatMap((it) => (it.theirs ? [] : (it.mine ?? [])));
    const news = run.flatMap((it) => (it.mine ? [] : (it.theirs ?? [])));
    if (ours.length === 0 || news.length === 0) return true;
    const leaves = [...ours, ...news].some((item) => item.leaves());
    return mine.rule.together && !(isFixed && leaves);
  });
}

/** Neighbours that the base knows none of. */
function newRuns(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.isNew) runs.at(-1)?.push(piece);
    else runs.push([]);
  }
  return runs;
}
