import { mapMarked, type Marked, takeSide } from './markers.ts';

/** What scaffold makes of a file, and what it made on the other branch, where that is known. */
export interface Made {
  readonly next: string;
  readonly theirs?: string | undefined;
}

/**
 * A text without those conflicts of git's in which the other side has nothing but what scaffold made: our side stays,
 * on which the base lies, and the merge with the new text brings the other. Where nobody knows what was made there,
 * each line of both sides has to be one that the new text has as well, as often.
 */
export function settleGenerated(text: string, { next, theirs }: Made): string {
  const isMade = theirs === undefined ? areBothIn(text, next) : isSliceOf(text, theirs);
  return mapMarked(text, (conflict) => (isMade(conflict) ? conflict.mine : conflict.whole));
}

/** With the lines around it, which both sides have: nothing was written in there, and nothing taken out. */
function isSliceOf(text: string, made: string) {
  const words = wordsOf(made);
  return ({ theirs, start, whole }: Marked) => {
    const above = text.slice(0, start).trimEnd().split('\n').slice(-1);
    const below = text
      .slice(start + whole.length)
      .trimStart()
      .split('\n', 1);
    const [before, after] = [above, below].map((lines) => lines.join().replace(marker, ''));
    return words.includes(wordsOf(`${before}\n${theirs}\n${after}`));
  };
}

/** Of another conflict beside it. */
const marker = /^[<>]{7} .*$/;

function areBothIn(text: string, made: string) {
  const known = wordsOf(made);
  const isKnown = (side: 'mine' | 'theirs') => {
    const whole = wordsOf(takeSide(text, side));
    return (conflict: Marked) =>
      conflict[side].split('\n').every((line) => {
        const words = wordsOf(line);
        return count(words, whole) <= count(words, known);
      });
  };
  const [isMine, isTheirs] = [isKnown('mine'), isKnown('theirs')];
  return (conflict: Marked) => isMine(conflict) && isTheirs(conflict);
}

/** Each word between spaces of its own, without what formatters add and take away. */
function wordsOf(text: string): string {
  const words = text.match(/[\p{L}\p{N}_$]+|[^\s,;'"`]/gu) ?? [];
  return words.map((word) => ` ${word} `).join('');
}

function count(words: string, text: string): number {
  return words === '' ? 0 : text.split(words).length;
}
