import type { Conflict, Labels, Merged, ThreeTexts } from './conflict.ts';

/** Text and conflicts in their order; a conflict always stands on lines of its own. */
export type Stretch = string | OpenConflict;

export interface OpenConflict extends ThreeTexts {
  readonly where: string;
}

/** The merged text with diff3 markers around every conflict. */
export function printStretches(stretches: readonly Stretch[], labels: Labels): Merged {
  const conflicts: Conflict[] = [];
  let text = '';
  for (const stretch of stretches) {
    if (typeof stretch === 'string') text += stretch;
    else {
      const line = text.split('\n').length;
      conflicts.push({ ...stretch, line });
      text += markConflict(stretch, labels);
    }
  }
  return { text, conflicts };
}

/** True when a text still holds a whole conflict, ours or git's. */
export function hasMarkers(text: string): boolean {
  return takeSide(text, 'mine') !== text;
}

/** The text with one side of every marked conflict taken. */
export function takeSide(text: string, side: keyof ThreeTexts): string {
  return mapMarked(text, (sides) => sides[side]);
}

/** A whole conflict as it stands in a text, markers and all. */
export interface Marked extends ThreeTexts {
  readonly whole: string;
  readonly start: number;
}

/** The text with something else for every whole conflict. */
export function mapMarked(text: string, map: (conflict: Marked) => string): string {
  return text.replace(
    marked,
    (whole: string, mine: string, base: string | undefined, theirs: string, start: number) =>
      map({ mine, base: base ?? '', theirs, whole, start }),
  );
}

/** Each whole conflict: the line of its opening marker, from 1, and what its last marker calls the other side. */
export function findMarkers(text: string): readonly { line: number; theirs: string }[] {
  return [...text.matchAll(marked)].map((found) => ({
    line: text.slice(0, found.index).split('\n').length,
    theirs: /^>{7} (.*)$/m.exec(found[0])?.[1] ?? '',
  }));
}

const marked =
  /^<{7} [^\n]*\n((?:(?![<|=>]{7}[ \n])[^\n]*\n)*)(?:\|{7}[^\n]*\n((?:(?![<|=>]{7}[ \n])[^\n]*\n)*))?={7}\n((?:(?![<|=>]{7}[ \n])[^\n]*\n)*)>{7} [^\n]*(?:\n|$)/gm;

function markConflict({ base, mine, theirs }: ThreeTexts, labels: Labels): string {
  return [
    `<<<<<<< ${labels.mine}\n${withEnd(mine)}`,
    `||||||| ${labels.base}\n${withEnd(base)}`,
    `=======\n${withEnd(theirs)}`,
    `>>>>>>> ${labels.theirs}\n`,
  ].join('');
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
