import { loadTypeScript } from '../../../merge/load-typescript.ts';
import { present } from '../../../present.ts';
import { countEach } from '../../../words.ts';
import type { Literal } from '../../../merge/typescript/literals.ts';
import type { OwnText } from './owner-code.ts';
import { type CodePlace, placeAt } from './places.ts';
import type { RemovedWord } from './removed-words.ts';

/** A string or key in the owner's code with a renamed or removed name, which no compiler sees. */
export interface Mention extends CodePlace, Pick<RemovedWord, 'word' | 'newName' | 'isValue'> {
  /** Whether it certainly fails: a query or SQL with a removed name. */
  readonly isBroken: boolean;
  /** The command that generates the whole file, such as `npm run client`. */
  readonly madeBy?: string;
}

/** Finds the word in SQL, queries and paths of the API, and where it is a whole string or key. */
export function mentionsInLiterals(
  {
    path,
    text,
    literals,
  }: { readonly path: string; readonly text: string; readonly literals: readonly Literal[] },
  gone: readonly RemovedWord[],
): readonly Mention[] {
  return (
    literals
      .flatMap((literal) =>
        gone.flatMap((it) =>
          listOffsets(literal, it, text).map((offset) => ({
            ...it,
            offset,
            isBroken: isQueried(literal, it) || isInQuery(literal, it, offset - literal.start),
          })),
        ),
      )
      .toSorted((left, right) => left.offset - right.offset)
      // A string inside a placeholder is found twice.
      .filter(({ word, offset }, at, all) => {
        const before = all[at - 1];
        return before?.offset !== offset || before.word !== word;
      })
      .map(({ word, newName, offset, isBroken, isValue }) => ({
        path,
        ...placeAt(text, offset),
        word,
        ...present({ newName, isValue }),
        isBroken,
      }))
  );
}

function listOffsets(literal: Literal, gone: RemovedWord, file: string): readonly number[] {
  const { word, tables, others } = gone;
  const { text, start, around } = literal;
  if (isQueried(literal, gone)) return [start];
  const names = (context: string) => namesAny(context, tables);
  if (literal.isKey && !(names(file) && isOfRow(literal, gone, names))) return [];
  // A removed column is found by the compiler, or with its table.
  const isNear = gone.isValue || (gone.newName !== undefined && !isTable(gone));
  const isMeant = others.length === 0 || (isNear && names(sql.test(text) ? text : around));
  if (!isMeant && !names(text)) return [];
  if (gone.isValue) return valueOffsets(literal, word);
  const isAlone = isMeant && new RegExp(`^-?(?:[\\w$]+\\.)?${word}$`).test(text);
  const form = isSql(literal) || isAlone ? wholeWord(word) : inRequest(word);
  return [...text.matchAll(new RegExp(form, 'g'))].map(
    ({ index, 0: found }) => start + index + found.lastIndexOf(word),
  );
}

/** Whether a key seems to be that of a row. Objects of other kinds have such keys, too: `{ title: 'A report' }`. */
function isOfRow(
  { around, isSpread }: Literal,
  gone: RemovedWord,
  names: (context: string) => boolean,
): boolean {
  const { newName } = gone;
  if (isTable(gone)) return false;
  const isNewBeside = newName !== undefined && new RegExp(wholeWord(newName)).test(around);
  return isSpread || isNewBeside || names(around);
}

/** `'draft'` as a whole string, or in quotes in SQL. */
function valueOffsets(literal: Literal, word: string): readonly number[] {
  const { text, start } = literal;
  if (isSql(literal))
    return [...text.matchAll(new RegExp(`'${word.replace(/\W/g, String.raw`\$&`)}'`, 'g'))].map(
      ({ index }) => start + index + 1,
    );
  return text === word ? [start] : [];
}

/** Whether a string certainly names a table: `.selectFrom('posts')`. */
function isQueried({ text, tag }: Literal, gone: RemovedWord): boolean {
  const isWhole = new RegExp(`^${gone.word}(?:\\s+as\\s+\\w+)?$`).test(text);
  return isTable(gone) && isWhole && takesTable.test(tag ?? '');
}

/** Whether SQL certainly asks for the name: a table, or a column of a table that it names. */
function isInQuery(literal: Literal, gone: RemovedWord, at: number): boolean {
  if (gone.isValue || !isSql(literal)) return false;
  if (isTable(gone)) return true;
  const { text } = literal;
  const before = text.slice(0, at);
  const table = /(\w+)"?\."?$/.exec(before)?.[1] ?? '';
  if (gone.tables.includes(table)) return !gone.others.includes(table);
  const isColumn = !/(?:\bas\s+"?|')$/i.test(before);
  return isColumn && namesAny(text, gone.tables) && !namesAny(text, gone.others);
}

const namesAny = (context: string, tables: readonly string[]) =>
  tables.some((table) => new RegExp(wholeWord(table)).test(context));

const takesTable =
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto|using|from|(?:inner|left|right|full|cross)Join)$/;

function isTable({ word, tables, isValue }: RemovedWord): boolean {
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

/** Mentions in the owner's files, and in the owner's lines of other files. */
export async function listMentions(
  own: readonly OwnText[],
  gone: readonly RemovedWord[],
): Promise<readonly Mention[]> {
  const named = own.filter(({ text }) => gone.some(({ word }) => text.includes(word)));
  if (named.length === 0) return [];
  const { listLiterals } = await loadTypeScript();
  return named.flatMap((file) => mentionsIn(file, listLiterals, gone));
}

function mentionsIn(
  { path, text, rendered }: OwnText,
  listLiterals: (path: string, text: string) => readonly Literal[],
  gone: readonly RemovedWord[],
): readonly Mention[] {
  const lines = text.split('\n');
  const ourLines = new Set(rendered.split('\n').map((line) => line.trim()));
  const all = listLiterals(path, text);
  const ours = countEach(all.map(bareText));
  const theirs = countEach(listLiterals(path, rendered).map(bareText));
  // Reformatting changes lines, but not strings.
  const literals = all.filter(
    (it) => (ours.get(bareText(it)) ?? 0) > (theirs.get(bareText(it)) ?? 0),
  );
  const found = mentionsInLiterals({ path, text, literals }, gone).filter(
    (it) => !ourLines.has(lines[it.line - 1]?.trim() ?? ''),
  );
  const [, madeBy] = /^\/\/ Made by `([^`]+)`/.exec(text) ?? [];
  return madeBy === undefined
    ? found
    : found.slice(0, 1).map((it) => ({ ...it, line: 1, column: 1, madeBy }));
}

/** Removes placeholders, which may contain code. */
function bareText({ text }: Literal): string {
  return text.replaceAll(/["'\s]+/g, ' ');
}
