import type { DatabaseSync } from '../driver.ts';
import { quoteName } from './sql-words.ts';

/** Makes the owner's indexes and triggers again, which the script has put aside when it made their table anew. */
export function remakeCarried(connection: DatabaseSync): void {
  const find = `select 1 from sqlite_temp_schema where name = 'carried__objects'`;
  if (connection.prepare(find).get() === undefined) return;
  const carried = connection.prepare<{ sql: string }>('select sql from carried__objects').all();
  for (const { sql } of carried) remake(connection, sql);
  connection.exec('drop table temp.carried__objects; drop table temp.unknown__columns');
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

/** Of the tables that a script is about to make anew, once it has stopped there. */
export function findUnknownColumns(connection: DatabaseSync, sql: string): readonly string[] {
  const checks = sql.matchAll(
    /^INSERT INTO unknown__columns (SELECT name FROM \w+\('(.*?)'\) .*);$/gm,
  );
  return [...checks].flatMap(([, select = '', table]) =>
    connection
      .prepare<{ name: string }>(select)
      .all()
      .map(({ name }) => `${table}.${name}`),
  );
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
