import type { Place } from './context.ts';
import type { Piece } from './pieces.ts';
import type { List } from './tree.ts';

/** The pieces, unless both sides put different ones at a place where that cannot be right. */
export function standTogether(pieces: readonly Piece[], { mine, theirs }: Place<List>): boolean {
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
