import { remember } from '../remember.ts';

// Finds brackets (including those of types) and separators outside of strings in a line of TypeScript.

interface BracketMark {
  readonly at: number;
  readonly character: string;
  /** How many brackets are open around it. An opening bracket has the same depth as its closing one. */
  readonly depth: number;
}

export interface Brackets {
  readonly open: number;
  readonly close: number;
}

export function findBracketPairs(code: string): readonly Brackets[] {
  const outer = listMarks(code).filter(
    ({ character, depth }) => depth === 0 && /[()[\]{}]/.test(character),
  );
  return outer.flatMap(({ at, character }, index) => {
    const next = outer[index + 1];
    return /[([{]/.test(character) && next ? [{ open: at, close: next.at }] : [];
  });
}

export const isEmpty = ({ open, close }: Brackets): boolean => close === open + 1;

/** The items of a list, without the commas between them. */
export function splitList(list: string): readonly string[] {
  const commas = listMarks(list).filter(({ character, depth }) => character === ',' && depth === 0);
  const ends = [...commas.map(({ at }) => at), list.length];
  return ends
    .map((end, index) => list.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end).trim())
    .filter((item) => item !== '');
}

/** The offset of `text`, which begins with a space, outside of all brackets; -1 if there is none. */
export function topLevel(code: string, text: string): number {
  return (
    listMarks(code).find(({ at, depth }) => depth === 0 && code.startsWith(text, at))?.at ?? -1
  );
}

/** The offsets of brackets that the line does not close, the last one first. */
export function findOpenBrackets(code: string): readonly number[] {
  const open: BracketMark[] = [];
  for (const mark of listMarks(code)) {
    if (/[([{]/.test(mark.character)) open.unshift(mark);
    else if (/[)\]}]/.test(mark.character)) open.shift();
  }
  return open.map(({ at }) => at);
}

/** Brackets, commas and spaces outside of strings. */
const listMarks = remember((code): readonly BracketMark[] => {
  const found: BracketMark[] = [];
  let depth = 0;
  for (let at = 0; at < code.length; at += 1) {
    const end = findEndOfString(code, at);
    if (end !== undefined) {
      at = end - 1;
      continue;
    }
    const character = code.charAt(at);
    const before = code[at - 1] ?? ' ';
    if (')]}'.includes(character) || (character === '>' && /[^\s=]/.test(before))) depth -= 1;
    if ('()[]{}, '.includes(character)) found.push({ at, character, depth });
    if ('([{'.includes(character) || (character === '<' && /\w/.test(before))) depth += 1;
  }
  return found;
});

/** The end of the string that begins at an offset. A quote that is never closed is an ordinary character. */
export function findEndOfString(code: string, at: number): number | undefined {
  if (!'\'"`'.includes(code.charAt(at))) return undefined;
  stringPattern.lastIndex = at;
  return stringPattern.test(code) ? stringPattern.lastIndex : undefined;
}

/** A template literal may contain another one in a placeholder. */
const stringPattern =
  /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|\$\{(?:[^`}]|`(?:\\.|[^`\\])*`)*\}|[^`\\])*`/uy;
