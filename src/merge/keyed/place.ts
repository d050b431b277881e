import type { Place } from './context.ts';
import { isReordered, type Matches } from './match.ts';
import type { Decided, Piece } from './pieces.ts';
import type { Item, List } from './tree.ts';

/** The pieces in the order of mine; of theirs, where only they changed it. */
export function orderPieces(decided: Decided, lists: Place<List>, matches: Matches): Piece[] {
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
    const before = lastPlace(pieces, theirs.slice(0, at));
    const after = firstPlace(pieces, theirs.slice(at + 1));
    pieces.splice(before ?? after ?? pieces.length, 0, piece);
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

/** Behind the nearest item before it that is there. */
function lastPlace(pieces: readonly Piece[], items: readonly Item[]): number | undefined {
  const found = items.toReversed().find((item) => placeOf(pieces, item) >= 0);
  return found && placeOf(pieces, found) + 1;
}

function firstPlace(pieces: readonly Piece[], items: readonly Item[]): number | undefined {
  const found = items.find((item) => placeOf(pieces, item) >= 0);
  return found && placeOf(pieces, found);
}

function placeOf(pieces: readonly Piece[], item: Item): number {
  return pieces.findIndex(({ theirs }) => theirs === item);
}
