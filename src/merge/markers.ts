import type { Conflict, MarkedConflict, Merged, ThreeTexts } from './conflict.ts';
import { countLineEnds } from './line-endings.ts';

/** A part of a merged text. A conflict always has lines of its own. */
export type Chunk = string | Conflict;

export function isConflict<C extends Conflict>(chunk: string | C): chunk is C {
  return typeof chunk !== 'string';
}

/** Prints diff3 markers around each conflict. */
export function printChunks(
  chunks: readonly Chunk[],
  labelOf: (conflict: Conflict) => string = () => 'scaffold',
): Merged {
  const conflicts: MarkedConflict[] = [];
  let text = '';
  for (const chunk of chunks) {
    if (isConflict(chunk)) {
      conflicts.push({ ...chunk, line: countLineEnds(text) + 1 });
      text += markConflict(chunk, labelOf(chunk));
    } else text += chunk;
  }
  return { text, conflicts };
}

export function textOfSide(chunks: readonly Chunk[], side: keyof ThreeTexts): string {
  return chunks.map((it) => (isConflict(it) ? withEnd(it[side]) : it)).join('');
}

/** Whether a text contains a complete conflict, from scaffold or from git. */
export function hasMarkers(text: string): boolean {
  return takeSide(text, 'ours') !== text;
}

export function takeSide(text: string, side: keyof ThreeTexts): string {
  return mapMarkedConflicts(text, (sides) => sides[side]);
}

/** Takes theirs in each marked conflict, and pads with blank lines so that other lines keep their numbers. */
export function takeTheirsInPlace(text: string): string {
  return mapMarkedConflicts(text, ({ whole, theirs }) => {
    const rest = '\n'.repeat(countLineEnds(whole) - countLineEnds(theirs) - 1);
    return `${rest}${theirs}\n`;
  });
}

/** A complete conflict in a text, with its markers. */
interface MarkedSides extends ThreeTexts {
  readonly whole: string;
  readonly start: number;
}

function mapMarkedConflicts(text: string, map: (conflict: MarkedSides) => string): string {
  return text.replace(
    markedPattern,
    (whole: string, ours: string, base: string | undefined, theirs: string, start: number) =>
      map({ ours, base: base ?? '', theirs, whole, start }),
  );
}

/** The lines of opening markers of complete conflicts, from 1. */
export function listMarkers(text: string): readonly number[] {
  return [...text.matchAll(markedPattern)].map(
    ({ index }) => countLineEnds(text.slice(0, index)) + 1,
  );
}

const markedPattern =
  /^<{7} [^\n]*\n((?:(?![<|=>]{7}[ \r\n])[^\n]*\n)*)(?:\|{7}[^\n]*\n((?:(?![<|=>]{7}[ \r\n])[^\n]*\n)*))?={7}\r?\n((?:(?![<|=>]{7}[ \r\n])[^\n]*\n)*)>{7} [^\n]*(?:\n|$)/gm;

function markConflict({ base, ours, theirs }: ThreeTexts, label: string): string {
  return [
    `<<<<<<< yours\n${withEnd(ours)}`,
    `||||||| base\n${withEnd(base)}`,
    `=======\n${withEnd(theirs)}`,
    `>>>>>>> ${label}\n`,
  ].join('');
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Resolves git's conflicts in which the other branch has only what scaffold made: takes our side, since the later merge
 * with the new text brings in the other. If the text of the other branch is unknown, all lines of both sides must occur
 * in the new text. `next`: what scaffold makes now; `theirs`: what it made on the other branch.
 */
export function resolveGenerated(text: string, next: string, theirs?: string): string {
  const isMade = theirs === undefined ? areBothIn(text, next) : isSliceOf(text, theirs);
  return mapMarkedConflicts(text, (conflict) =>
    isMade(conflict) ? conflict.ours : conflict.whole,
  );
}

/** Whether theirs, with the lines around it, occurs in an emitted text. */
function isSliceOf(text: string, made: string) {
  const words = spacedTokens(made);
  return ({ theirs, start, whole }: MarkedSides) => {
    const above = text.slice(0, start).trimEnd().split('\n').slice(-1);
    const below = text
      .slice(start + whole.length)
      .trimStart()
      .split('\n', 1);
    const [before, after] = [above, below].map((lines) => lines.join().replace(marker, ''));
    return words.includes(spacedTokens(`${before}\n${theirs}\n${after}`));
  };
}

/** A marker of an adjacent conflict. */
const marker = /^[<>]{7} .*$/;

function areBothIn(text: string, made: string) {
  const known = spacedTokens(made);
  const isKnown = (side: 'ours' | 'theirs') => {
    const whole = spacedTokens(takeSide(text, side));
    return (conflict: MarkedSides) =>
      conflict[side].split('\n').every((line) => {
        const words = spacedTokens(line);
        return count(words, whole) <= count(words, known);
      });
  };
  const [isOurs, isTheirs] = [isKnown('ours'), isKnown('theirs')];
  return (conflict: MarkedSides) => isOurs(conflict) && isTheirs(conflict);
}

/** Words and signs with spaces around each, without what formatters add or remove. */
function spacedTokens(text: string): string {
  const words = text.match(/[\p{L}\p{N}_$]+|[^\s,;'"`]/gu) ?? [];
  return words.map((word) => ` ${word} `).join('');
}

function count(words: string, text: string): number {
  return words === '' ? 0 : text.split(words).length;
}
