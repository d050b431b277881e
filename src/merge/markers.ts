import type { Conflict, MarkedConflict, Merged, ThreeTexts } from './conflict.ts';
import { lineEnds } from './line-endings.ts';

/** Text and conflicts in their order; a conflict always stands on lines of its own. */
export type Stretch = string | Conflict;

export function isConflict<C extends Conflict>(stretch: string | C): stretch is C {
  return typeof stretch !== 'string';
}

/** The merged text with diff3 markers around every conflict, and the line of each opening marker, from 1. */
export function printStretches(
  stretches: readonly Stretch[],
  labelOf: (conflict: Conflict) => string = () => 'scaffold',
): Merged {
  const conflicts: MarkedConflict[] = [];
  let text = '';
  for (const stretch of stretches) {
    if (isConflict(stretch)) {
      conflicts.push({ ...stretch, line: lineEnds(text) + 1 });
      text += markConflict(stretch, labelOf(stretch));
    } else text += stretch;
  }
  return { text, conflicts };
}

/** The merged text with one side of every conflict. */
export function sideOf(stretches: readonly Stretch[], side: keyof ThreeTexts): string {
  return stretches.map((it) => (isConflict(it) ? withEnd(it[side]) : it)).join('');
}

/** Whether a text still contains a whole conflict, ours or git's. */
export function hasMarkers(text: string): boolean {
  return takeSide(text, 'mine') !== text;
}

/** The text with one side of every marked conflict taken. */
export function takeSide(text: string, side: keyof ThreeTexts): string {
  return mapMarked(text, (sides) => sides[side]);
}

/** The text with the new side of every conflict, and every line where it was. */
export function theirsInPlace(text: string): string {
  return mapMarked(text, ({ whole, theirs }) => {
    const rest = '\n'.repeat(lineEnds(whole) - lineEnds(theirs) - 1);
    return `${rest}${theirs}\n`;
  });
}

/** A whole conflict in a text, including its markers. */
interface Marked extends ThreeTexts {
  readonly whole: string;
  readonly start: number;
}

/** The text with something else for every whole conflict. */
function mapMarked(text: string, map: (conflict: Marked) => string): string {
  return text.replace(
    marked,
    (whole: string, mine: string, base: string | undefined, theirs: string, start: number) =>
      map({ mine, base: base ?? '', theirs, whole, start }),
  );
}

/** The line of the opening marker of each whole conflict, from 1. */
export function findMarkers(text: string): readonly number[] {
  return [...text.matchAll(marked)].map(({ index }) => lineEnds(text.slice(0, index)) + 1);
}

const marked =
  /^<{7} [^\n]*\n((?:(?![<|=>]{7}[ \r\n])[^\n]*\n)*)(?:\|{7}[^\n]*\n((?:(?![<|=>]{7}[ \r\n])[^\n]*\n)*))?={7}\r?\n((?:(?![<|=>]{7}[ \r\n])[^\n]*\n)*)>{7} [^\n]*(?:\n|$)/gm;

function markConflict({ base, mine, theirs }: ThreeTexts, label: string): string {
  return [
    `<<<<<<< yours\n${withEnd(mine)}`,
    `||||||| base\n${withEnd(base)}`,
    `=======\n${withEnd(theirs)}`,
    `>>>>>>> ${label}\n`,
  ].join('');
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Removes git's conflicts in which the other side has only what scaffold made: our side, which the base belongs to,
 * stays, and the merge with the new text brings in the other. If what was made there is unknown, each line of both
 * sides has to occur in the new text, as often. `next`: what scaffold makes of the file; `theirs`: what it made on the
 * other branch.
 */
export function resolveGenerated(text: string, next: string, theirs?: string): string {
  const isMade = theirs === undefined ? areBothIn(text, next) : isSliceOf(text, theirs);
  return mapMarked(text, (conflict) => (isMade(conflict) ? conflict.mine : conflict.whole));
}

/** Whether, with the lines around it, nothing was added or removed there. */
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
