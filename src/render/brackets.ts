/** Finding one's way in a line of TypeScript: brackets, those of types too, and separators outside of strings. */

interface Mark {
  readonly at: number;
  readonly character: string;
  /** How many brackets are open around it; an opening and its closing bracket have the same depth. */
  readonly depth: number;
}

export interface Brackets {
  readonly open: number;
  readonly close: number;
}

/** The outermost pairs. */
export function bracketPairs(code: string): readonly Brackets[] {
  const outer = marks(code).filter(
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
  const commas = marks(list).filter(({ character, depth }) => character === ',' && depth === 0);
  const ends = [...commas.map(({ at }) => at), list.length];
  return ends
    .map((end, index) => list.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end).trim())
    .filter((item) => item !== '');
}

/** Where `text` stands outside of all brackets, or -1. */
export function topLevel(code: string, text: string): number {
  return marks(code).find(({ at, depth }) => depth === 0 && code.startsWith(text, at))?.at ?? -1;
}

/** Where the brackets open that the line does not close, the last one first. */
export function openBrackets(code: string): readonly number[] {
  const open: Mark[] = [];
  for (const mark of marks(code)) {
    if (/[([{]/.test(mark.character)) open.unshift(mark);
    else if (/[)\]}]/.test(mark.character)) open.shift();
  }
  return open.map(({ at }) => at);
}

function marks(code: string): readonly Mark[] {
  const found: Mark[] = [];
  let depth = 0;
  for (const match of code.matchAll(
    /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[^]/gu,
  )) {
    const character = match[0];
    if (character.length > 1 && /^['"`]/.test(character)) continue;
    const before = code[match.index - 1] ?? ' ';
    if (/[)\]}]/.test(character) || (character === '>' && /[^\s=]/.test(before))) depth -= 1;
    found.push({ at: match.index, character, depth });
    if (/[([{]/.test(character) || (character === '<' && /\w/.test(before))) depth += 1;
  }
  return found;
}
