import type { LabelledConflict } from '../project/open-conflicts.ts';

/** Of a place that only theirs changed: the one that keeps it from being merged. */
export function causeFor(
  conflict: LabelledConflict,
  all: readonly LabelledConflict[],
): LabelledConflict | undefined {
  if (isDecided(conflict)) return undefined;
  const decided = all.filter(isDecided);
  const causes = decided.length > 0 || isUsed(conflict) ? decided : all.filter(isUsed);
  const words = new Set(wordsOf(`${conflict.base}\n${conflict.theirs}`));
  const shared = ({ base, mine, theirs }: LabelledConflict) =>
    new Set([base, mine, theirs].flatMap(wordsOf).filter((word) => words.has(word))).size;
  return causes.toSorted((left, right) => shared(right) - shared(left))[0];
}

/** Where nothing is made any more. */
function isUsed({ theirs }: LabelledConflict): boolean {
  return theirs === '';
}

/** Whether its owner changed something there. */
function isDecided({ base, mine }: LabelledConflict): boolean {
  return !isSame(base, mine);
}

export function isSame(left: string, right: string): boolean {
  return wordsOf(left).join(' ') === wordsOf(right).join(' ');
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
