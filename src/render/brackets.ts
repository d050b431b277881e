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

/** Columns that a text takes in a fixed-width font, as formatters count them. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const single = pictograph.test(text) ? text.replace(emoji, '  ') : text;
  let columns = 0;
  for (const character of single) {
    if (/\p{Cc}|[\u0300-\u036f\ufe00-\ufe0f]/u.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** Whether the text is at most so wide. No character takes more than two columns, so most need no measuring. */
export function isWithin(width: number, text: string): boolean {
  return text.length * 2 <= width || displayWidth(text) <= width;
}

/** What every emoji has; the exact expression takes long to compile. */
const pictograph = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** The wide characters of Unicode's East Asian Width. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
