import { databaseName } from '../../naming/database-name.ts';

/** A name as SQL reads it: quoted where it would be folded, refused or taken for a keyword. */
export function identifierSql(name: string): string {
  const isBare = /^[a-z_][a-z0-9_]*$/.test(name) && !keywords.has(name);
  return isBare ? name : `"${name.replaceAll('"', '""')}"`;
}

export const identifiersSql = (names: readonly string[]) => names.map(identifierSql).join(', ');

/** A temporary name for something whose name is needed by something else. */
export const asideName = (name: string) => databaseName([`${name}_`], 'aside');

/** Prints a text as line comments; lines after the first are indented. */
export function paragraphSql(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/u)) {
    if (line !== '' && line.length + word.length >= longestComment) {
      lines.push(line);
      line = ' ';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((it) => `-- ${it}`).join('\n');
}

const longestComment = 100;

/** A line comment that ends where the line does, whatever the text holds. */
export function commentSql(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (line.length <= longestComment) return `-- ${line}`;
  const cut = line.slice(0, longestComment).replace(/[\uD800-\uDBFF]$|\s\S*$/, '');
  return `-- ${cut}…`;
}

/**
 * Words that SQLite or PostgreSQL may read as part of the language where a name stands:
 * https://sqlite.org/lang_keywords.html, and those that `pg_get_keywords()` calls reserved (PostgreSQL 18).
 */
export const keywords: ReadonlySet<string> = new Set(
  [
    'abort action add after all alter always analyse analyze and any array as asc asymmetric attach',
    'authorization autoincrement before begin between binary both by cascade case cast check collate',
    'collation column commit concurrently conflict constraint create cross current current_catalog',
    'current_date current_role current_schema current_time current_timestamp current_user database',
    'default deferrable deferred delete desc detach distinct do drop each else end escape except',
    'exclude exclusive exists explain fail false fetch filter first following for foreign freeze from',
    'full generated glob grant group groups having if ignore ilike immediate in index indexed',
    'initially inner insert instead intersect into is isnull join key last lateral leading left like',
    'limit localtime localtimestamp match materialized natural no not nothing notnull null nulls of',
    'offset on only or order others outer over overlaps partition placing plan pragma preceding',
    'primary query raise range recursive references regexp reindex release rename replace restrict',
    'returning right rollback row rows savepoint select session_user set similar some symmetric',
    'system_user table tablesample temp temporary then ties to trailing transaction trigger true',
    'unbounded union unique update user using vacuum values variadic verbose view virtual when where',
    'window with within without',
  ].flatMap((line) => line.split(' ')),
);
