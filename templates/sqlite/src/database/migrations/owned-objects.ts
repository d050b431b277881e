import type { DatabaseSync } from '../driver.ts';
import { MigrationError } from './error.ts';
import type { MigrationRun } from './run.ts';
import { checksIn, joinWords, quoteName, sqlWords } from './sql-words.ts';

/** Makes the owner's indexes and triggers again, which the script has put aside when it made their table anew. */
export function remakeCarried(connection: DatabaseSync): void {
  const find = `select 1 from sqlite_temp_schema where name = 'carried__objects'`;
  if (connection.prepare(find).get() === undefined) return;
  const carried = connection.prepare<{ sql: string }>('select sql from carried__objects').all();
  for (const { sql } of carried) remake(connection, sql);
  connection.exec('drop table temp.carried__objects; drop table if exists temp.unknown__columns');
}

function remake(connection: DatabaseSync, sql: string): void {
  try {
    connection.exec(sql);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `what you made on a table cannot be made on the new one: ${message}. Drop or change it first: ${sql}`,
      { cause },
    );
  }
}

/** Columns and rules that the schema does not know would be lost with their table, unless the SQL speaks of them. */
export function refuseOwnParts(connection: DatabaseSync, { id, sql, rebuilt }: MigrationRun): void {
  const words = sqlWords(sql);
  const written = joinWords(words);
  const lost = Object.entries(rebuilt).flatMap(([table, known]) =>
    ownParts(connection, table, known)
      .filter(({ kind, text }) =>
        kind === 'column' ? !words.includes(text.toLowerCase()) : !written.includes(text),
      )
      .map(({ kind, text }) => `the ${kind} ${text} of ${table}`),
  );
  if (lost.length === 0) return;
  throw new MigrationError(
    `Migration ${id} makes tables again, and what the schema does not know of them would be lost: ${lost.join(', ')}. Nothing was changed. Drop it first; or write it into migrations/${id}/up.sql, into the new table and, for a column, into what is copied to it.`,
  );
}

interface OwnPart {
  readonly kind: 'column' | 'constraint';
  /** A name, or the rule in lower case. */
  readonly text: string;
}

function ownParts(
  connection: DatabaseSync,
  table: string,
  known: { readonly columns: readonly string[]; readonly checks: readonly string[] },
): readonly OwnPart[] {
  const list = (query: string) =>
    connection
      .prepare<{ text: string }>(query)
      .all(table)
      .map(({ text }) => text);
  const columns = list('select name as text from pragma_table_xinfo(?)')
    .filter((name) => !known.columns.includes(name))
    .map((name) => ({ kind: 'column', text: name }) as const);
  const uniques = list(`select group_concat(column.name, ', ') as text
    from pragma_index_list(?) as list, pragma_index_info(list.name) as column
    where list.origin = 'u' group by list.name`).map((names) => constraint(`unique (${names})`));
  const [sql = ''] = list(
    `select sql as text from sqlite_schema where type = 'table' and name = ?`,
  );
  const expected = known.checks.flatMap((check) => checksIn(`check (${check})`));
  const checks = checksIn(sql)
    .filter((check) => !expected.includes(check))
    .map((check) => constraint(`check (${check})`));
  return [...columns, ...uniques, ...checks];
}

function constraint(text: string): OwnPart {
  return { kind: 'constraint', text: joinWords(sqlWords(text)) };
}

interface OwnedObject {
  readonly type: 'view' | 'trigger';
  readonly name: string;
  readonly place: string;
}

/** Views and triggers that cannot be used, as they name what is not there. */
export function findBroken(connection: DatabaseSync): readonly string[] {
  return connection
    .prepare<OwnedObject>(
      `select type, name, tbl_name as place from sqlite_schema where type in ('view', 'trigger')`,
    )
    .all()
    .filter((object) => !usesOf(connection, object).every((sql) => compiles(connection, sql)))
    .map(({ type, name }) => `${type} ${name}`);
}

/** What makes SQLite read the object's SQL; preparing runs none of it. */
function usesOf(connection: DatabaseSync, { type, place }: OwnedObject): readonly string[] {
  const table = quoteName(place);
  if (type === 'view') return [`select * from ${table}`];
  const columns = connection
    .prepare<{ name: string }>('select name from pragma_table_info(?)')
    .all(place)
    .map(({ name }) => `${quoteName(name)} = null`);
  return [
    `insert into ${table} default values`,
    `update ${table} set ${columns.join(', ')}`,
    `delete from ${table}`,
  ];
}

function compiles(connection: DatabaseSync, sql: string): boolean {
  try {
    connection.prepare(sql);
    return true;
  } catch {
    return false;
  }
}
