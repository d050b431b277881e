import type { Piece } from './piece.ts';
import type { Sides } from './context.ts';
import { isReordered, type Matches } from './match.ts';
import type { Decided } from './pieces.ts';
import type { List, Item } from './tree.ts';
import type { Matching } from './unmatched-runs.ts';

/** One side moved items whose order matters, so the place of the other side's changes is unclear. */
export function isOutOfOrder({ base, mine, theirs }: Sides<List>, matches: Matches): boolean {
  if (!base || ![base, mine, theirs].some(({ rule }) => rule.order === 'fixed')) return false;
  const { toMine, toTheirs } = matches;
  const byMine = isReordered(base.items, mine.items, toMine);
  const byTheirs = isReordered(base.items, theirs.items, toTheirs);
  const both = base.items.flatMap((item) => {
    const [ours, news] = [toMine.get(item), toTheirs.get(item)];
    return item.placed && ours && news ? [[ours, news] as const] : [];
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

/** Something new is between two items that the other side has swapped; `places` holds where. */
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
export function orderPieces(decided: Decided, lists: Sides<List>, matches: Matches): Piece[] {
  const base = lists.base?.items ?? [];
  const { mine, theirs } = lists;
  const isTheirs =
    isAsInBase(base, mine.items, matches.toMine) ||
    (mine.rule.order === 'fixed' &&
      isReordered(base, theirs.items, matches.toTheirs) &&
      !isReordered(base, mine.items, matches.toMine));
  const pieces = insertPieces(decided, theirs.items);
  return isTheirs ? followTheirs(pieces, theirs.items) : pieces;
}

/** Nothing was added or moved; moving even an import would later look like an edit of the owner's. */
function isAsInBase(base: readonly Item[], mine: readonly Item[], found: Matching): boolean {
  const kept = base.flatMap((item) => found.get(item) ?? []);
  return kept.length === mine.length && kept.every((item, index) => item === mine[index]);
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

/** Items that only mine has stay after the same neighbour. */
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

/** The position of the first of the items that exists. */
function placeOfAny(pieces: readonly Piece[], items: readonly Item[]): number | undefined {
  const places = items.map((item) => pieces.findIndex(({ theirs }) => theirs === item));
  return places.find((place) => place >= 0);
}

/** The pieces, unless both sides put different ones at a place where that cannot be right. */
export function standTogether(pieces: readonly Piece[], { mine, theirs }: Sides<List>): boolean {
  const isFixed = mine.rule.order === 'fixed' || theirs.rule.order === 'fixed';
  return newRuns(pieces).every((run) => {
    const ours = run.flatMap((it) => (it.theirs ? [] : (it.mine ?? [])));
    const news = run.flatMap((it) => (it.mine ? [] : (it.theirs ?? [])));
    if (ours.length === 0 || news.length === 0) return true;
    const leaves = [...ours, ...news].some((item) => item.leaves());
    return mine.rule.together && !(isFixed && leaves);
  });
}

/** Neighbouring items that are not in the base. */
function newRuns(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.isNew) runs.at(-1)?.push(piece);
    else runs.push([]);
  }
  return runs;
}
