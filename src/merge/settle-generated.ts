import { mapMarked } from './markers.ts';

/**
 * A text without those conflicts of git's that two runs on two branches made: every line of either side is one that
 * the new text has as well. Our side is taken, on which the base lies; the merge with the new text brings the other.
 */
export function settleGenerated(text: string, rendered: string): string {
  const known = new Set(linesOf(rendered));
  return mapMarked(text, ({ mine, theirs }, whole) =>
    [...linesOf(mine), ...linesOf(theirs)].every((line) => known.has(line)) ? mine : whole,
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
