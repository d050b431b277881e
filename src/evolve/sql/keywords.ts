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
