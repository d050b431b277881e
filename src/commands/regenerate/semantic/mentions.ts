import { loadTypeScript } from '../../../merge/load-typescript.ts';
import { countEach } from '../../../words.ts';
import type { Literal } from '../../../merge/typescript/literals.ts';
import type { OwnText } from './owner-code.ts';
import { placeAt } from './places.ts';
import type { GoneWord } from './gone-words.ts';

/** A string in the owner's code that uses a renamed or removed name; no compiler sees it. */
export interface Mention {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly word: string;
  readonly now?: string;
  /** It certainly fails: a query or SQL that names something that is gone. */
  readonly isBroken?: boolean;
  /** It is a value of an enum, which a compiler sees where the type is known. */
  readonly isValue?: boolean;
  /** Something else has the word now. */
  readonly isAmbiguous?: boolean;
  /** The command that made the whole file, and makes it as it should be: `npm run client`. */
  readonly madeBy?: string;
}

/** Where a text is SQL, a query or an address of the API, or the word alone. */
export function mentionsInLiterals(
  {
    path,
    text,
    literals,
  }: { readonly path: string; readonly text: string; readonly literals: readonly Literal[] },
  gone: readonly GoneWord[],
): readonly Mention[] {
  return (
    literals
      .flatMap((literal) =>
        gone.flatMap((it) =>
          placesIn(literal, it).map((offset) => ({
            ...it,
            offset,
            isBroken: isTable(it) && (isSql(literal) || isQueried(literal, it)),
          })),
        ),
      )
      .toSorted((left, right) => left.offset - right.offset)
      // A text in a placeholder of another one is in both.
      .filter(({ word, offset }, at, all) => {
        const before = all[at - 1];
        return before?.offset !== offset || before.word !== word;
      })
      .map(({ word, now, offset, isBroken, isValue, isAmbiguous }) => ({
        path,
        ...placeAt(text, offset),
        word,
        ...(now !== undefined && { now }),
        ...(isBroken && { isBroken }),
        ...(isValue && { isValue }),
        ...(isAmbiguous && { isAmbiguous }),
      }))
  );
}

function placesIn(literal: Literal, gone: GoneWord): readonly number[] {
  const { word, tables, isAmbiguous } = gone;
  const { text, start, around } = literal;
  if (isQueried(literal, gone)) return [start];
  const names = (context: string) =>
    tables.some((table) => new RegExp(wholeWord(table)).test(context));
  // Of a column that is gone, the compiler or its table tells.
  const isNear = gone.isValue || (gone.now !== undefined && !isTable(gone));
  const isMeant = !isAmbiguous || (isNear && names(sql.test(text) ? text : around));
  if (!isMeant && !names(text)) return [];
  if (gone.isValue) return valuePlaces(literal, word);
  const isAlone = isMeant && new RegExp(`^-?(?:[\\w$]+\\.)?${word}$`).test(text);
  const form = isSql(literal) || isAlone ? wholeWord(word) : inRequest(word);
  return [...text.matchAll(new RegExp(form, 'g'))].map(
    ({ index, 0: found }) => start + index + found.lastIndexOf(word),
  );
}

/** `'draft'` alone, and between quotes in SQL. */
function valuePlaces(literal: Literal, word: string): readonly number[] {
  const { text, start } = literal;
  if (isSql(literal))
    return [...text.matchAll(new RegExp(`'${word.replace(/\W/g, String.raw`\$&`)}'`, 'g'))].map(
      ({ index }) => start + index + 1,
    );
  return text === word ? [start] : [];
}

/** `.selectFrom('posts')`: a table, whatever else has the word. */
function isQueried({ text, tag }: Literal, gone: GoneWord): boolean {
  const isWhole = new RegExp(`^${gone.word}(?:\\s+as\\s+\\w+)?$`).test(text);
  return isTable(gone) && isWhole && takesTable.test(tag ?? '');
}

const takesTable =
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto|using|from|(?:inner|left|right|full|cross)Join)$/;

function isTable({ word, tables, isValue }: GoneWord): boolean {
  return !isValue && tables[0] === word;
}

function isSql({ text, tag }: Literal): boolean {
  return /^sql\b/.test(tag ?? '') || sql.test(text);
}

const sql =
  /\bselect\b[^]*\bfrom\b|\binsert\s+into\b|\bupdate\b[^]*\bset\b|\bdelete\s+from\b|\bjoin\b[^]*\bon\b|\bwhere\s+[\w."]+\s*(?:=|<|>|!|\bin\b|\bis\b|\blike\b)|\b(?:order|group)\s+by\b/i;

/** `?title__gte=a`, `order_by=-title`, `https://localhost/api/posts/1` */
function inRequest(word: string): string {
  if (word.startsWith('/')) return `^(?:\\w+://[^/]*|\\$\\{[^}]*\\})?${word}(?![\\w-])`;
  const named = `(?:\\w+\\.)*${word}(?=(?:\\.\\w+)*(?:__\\w+)?=)`;
  const listed = `(?:order_by|fields)=[^&\\s]*?\\b${word}(?!\\w)`;
  return `(?:^|[?&])(?:${named}|${listed})`;
}

/** Names have letters, digits and underscores only. */
function wholeWord(word: string): string {
  return `(?<![\\w$]|[\\w$]-)${word}(?![\\w$]|-[\\w$])`;
}

/** The mentions in the owner's files, and in the owner's lines of others. */
export async function findMentions(
  own: readonly OwnText[],
  gone: readonly GoneWord[],
): Promise<readonly Mention[]> {
  const named = own.filter(({ text }) => gone.some(({ word }) => text.includes(word)));
  if (named.length === 0) return [];
  const { literalsOf } = await loadTypeScript();
  return named.flatMap((file) => mentionsIn(file, literalsOf, gone));
}

function mentionsIn(
  { path, text, rendered }: OwnText,
  literalsOf: (path: string, text: string) => readonly Literal[],
  gone: readonly GoneWord[],
): readonly Mention[] {
  const lines = text.split('\n');
  const ourLines = new Set(rendered.split('\n').map((line) => line.trim()));
  const all = literalsOf(path, text);
  const mine = countEach(all.map(bareText));
  const theirs = countEach(literalsOf(path, rendered).map(bareText));
  // Reformatting changes lines but not string literals.
  const literals = all.filter(
    (it) => (mine.get(bareText(it)) ?? 0) > (theirs.get(bareText(it)) ?? 0),
  );
  const found = mentionsInLiterals({ path, text, literals }, gone).filter(
    (it) => !ourLines.has(lines[it.line - 1]?.trim() ?? ''),
  );
  const [, madeBy] = /^\/\/ Made by `([^`]+)`/.exec(text) ?? [];
  return madeBy === undefined
    ? found
    : found.slice(0, 1).map((it) => ({ ...it, line: 1, column: 1, madeBy }));
}

/** A text may hold code, in a gap. */
function bareText({ text }: Literal): string {
  return text.replaceAll(/["'\s]+/g, ' ');
}
