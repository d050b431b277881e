import type { Literal } from '../../../merge/typescript/literals.ts';
import type { GoneWord } from './gone-words.ts';

/** A text of the owner's that names what is called otherwise now, or is gone; no compiler sees it. */
export interface Mention {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly word: string;
  readonly now?: string;
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly literals: readonly Literal[];
}

/** Where a text is SQL, or the word alone. */
export function findMentions(
  { path, text, literals }: Source,
  gone: readonly GoneWord[],
): readonly Mention[] {
  return literals
    .flatMap((literal) =>
      gone.flatMap((it) => placesIn(literal, it).map((offset) => ({ ...it, offset }))),
    )
    .toSorted((left, right) => left.offset - right.offset)
    .map(({ word, now, offset }) => {
      const above = text.slice(0, offset).split('\n');
      const place = { line: above.length, column: (above.at(-1) ?? '').length + 1 };
      return { path, ...place, word, ...(now !== undefined && { now }) };
    });
}

function placesIn(literal: Literal, { word, tables, isAmbiguous }: GoneWord): readonly number[] {
  const { text, start } = literal;
  const isAlone = new RegExp(`^-?(?:[\\w$]+\\.)?${word}$`).test(text);
  if (!isSql(literal) && (isAmbiguous || !isAlone)) return [];
  if (isAmbiguous && !tables.some((table) => wholeWord(table).test(text))) return [];
  return [...text.matchAll(new RegExp(wholeWord(word), 'g'))].map(({ index }) => start + index);
}

function isSql({ text, tag }: Literal): boolean {
  return /^sql\b/.test(tag ?? '') || sql.test(text);
}

const sql =
  /\bselect\b[^]*\bfrom\b|\binsert\s+into\b|\bupdate\b[^]*\bset\b|\bdelete\s+from\b|\bjoin\b[^]*\bon\b|\bwhere\s+[\w."]+\s*(?:=|<|>|!|\bin\b|\bis\b|\blike\b)|\b(?:order|group)\s+by\b/i;

/** Names have letters, digits and underscores only. */
function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\w$]|[\\w$]-)${word}(?![\\w$]|-[\\w$])`);
}
