import { mapMarked, takeSide } from './markers.ts';

/**
 * A text without those conflicts of git's that two runs on two branches made: each line of either side is one that the
 * new text has as well, as often. Our side is taken, on which the base lies; the merge with the new text brings the
 * other.
 */
export function settleGenerated(text: string, rendered: string): string {
  const known = wordsOf(rendered);
  const whole = {
    mine: wordsOf(takeSide(text, 'mine')),
    theirs: wordsOf(takeSide(text, 'theirs')),
  };
  const isKnown = (side: 'mine' | 'theirs', lines: string) =>
    lines.split('\n').every((line) => {
      const words = wordsOf(line);
      return count(words, whole[side]) <= count(words, known);
    });
  return mapMarked(text, ({ mine, theirs }, conflict) =>
    isKnown('mine', mine) && isKnown('theirs', theirs) ? mine : conflict,
  );
}

/** Each word between spaces of its own, without what formatters add and take away. */
function wordsOf(text: string): string {
  const words = text.match(/[\p{L}\p{N}_$]+|[^\s,;'"`]/gu) ?? [];
  return words.map((word) => ` ${word} `).join('');
}

function count(words: string, text: string): number {
  return words === '' ? 0 : text.split(words).length;
}
