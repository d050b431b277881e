import type { Decided, Piece } from './pieces.ts';
import type { Item } from './tree.ts';

/** The pieces of mine in their order, each new one of theirs after the neighbour that it has there. */
export function insertPieces({ kept, inserted }: Decided, theirs: readonly Item[]): Piece[] {
  const pieces = [...kept];
  for (const piece of inserted) {
    const at = piece.theirs ? theirs.indexOf(piece.theirs) : -1;
    const before = lastPlace(pieces, theirs.slice(0, at));
    const after = firstPlace(pieces, theirs.slice(at + 1));
    pieces.splice(before ?? after ?? pieces.length, 0, piece);
  }
  return pieces;
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
