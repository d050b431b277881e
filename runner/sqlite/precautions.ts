import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { makeFile, openFile } from './file.ts';
import { countBy } from './schema.ts';
import { checksIn, joinWords, sqlWords } from './sql-words.ts';
import { MigrationError, type MigrationRun } from '../history.ts';
import { quoteName } from '../statements.ts';

/** Creates the owner's indexes and triggers again, which the script saved before it rebuilt their table. */
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
      `your index or trigger cannot be recreated on the rebuilt table: ${message}. Drop or change it first: ${sql}`,
      { cause },
    );
  }
}

/**
 * Refuses to rebuild a table with columns or constraints that the schema does not have, unless the SQL mentions them.
 */
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
    `Migration ${id} rebuilds tables, and what is not in the schema would be lost: ${lost.join(', ')}. Nothing was changed. Drop it first; or write it into migrations/${id}/up.sql, into the new table and, for a column, into what is copied to it.`,
  );
}

interface OwnPart {
  readonly kind: 'column' | 'constraint';
  /** A name, or a constraint in lower case. */
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
  readonly type: 'view' | 'trigger' | 'virtual table';
  readonly name: string;
  readonly place: string;
}

/**
 * Views, triggers and virtual tables of the owner that no longer work because something they name is missing. A trigger
 * is tried together with all triggers of its table.
 */
export function listBroken(connection: DatabaseSync): readonly string[] {
  return connection
    .prepare<OwnedObject>(
      `select type, name, tbl_name as place from sqlite_schema where type in ('view', 'trigger')
        and sql not like '%INSERT INTO row_counts %' and sql not like '%UPDATE row_counts SET %'
      union all
      select 'virtual table', name, name from pragma_table_list where schema = 'main' and type = 'virtual'`,
    )
    .all()
    .filter((object) => !isUsable(connection, object))
    .map(({ type, name }) => `${type} ${name}`);
}

function isUsable(connection: DatabaseSync, object: OwnedObject): boolean {
  return listUses(connection, object).every((sql) => {
    try {
      const statement = connection.prepare(sql);
      // A virtual table reads its rows from elsewhere only when it is queried.
      if (object.type === 'virtual table') statement.get();
      return true;
    } catch {
      return false;
    }
  });
}

/** Statements that make SQLite parse the SQL of an object. They are prepared but not run. */
function listUses(connection: DatabaseSync, { type, place }: OwnedObject): readonly string[] {
  const table = quoteName(place);
  if (type === 'virtual table') return [`select * from ${table} limit 1`];
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

/** Copies a database that has rows to `backups/` beside it, while nobody writes. Returns the path of the copy. */
export function writeBackup(
  connection: DatabaseSync,
  file: string,
  id: string,
): string | undefined {
  if (!hasRows(connection)) return undefined;
  const time = new Date().toISOString().replaceAll(':', '-');
  const backup = join(backupFolder(file), `${basename(file)}-${time}-${id}.sqlite`);
  try {
    mkdirSync(backupFolder(file), { recursive: true });
    removeUnfinished(file);
    refuseFullDisk(connection, file);
    copyDatabase(file, `${backup}.part`);
    renameSync(`${backup}.part`, backup);
  } catch (cause) {
    // An incomplete copy would take up space.
    rmSync(`${backup}.part`, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no copy of it can be written to ${backupFolder(file)}: ${reason}`, { cause });
  }
  return backup;
}

/** Removes incomplete copies of processes that were killed. No other process makes one now. */
function removeUnfinished(file: string): void {
  for (const name of listBackups(file, '.sqlite.part')) rmSync(join(backupFolder(file), name));
}

/** Backups are never deleted here: only the owner knows which ones are needed. */
export function countBackups(file: string) {
  const folder = backupFolder(file);
  const sizes = listBackups(file).map((name) => statSync(join(folder, name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { folder, copies: sizes.length, megabytes: Math.ceil(bytes / 1e6) };
}

/** The last backup before the migration. */
export function findBackup(file: string, id: string): string | undefined {
  const name = listBackups(file).findLast((it) => it.endsWith(`Z-${id}.sqlite`));
  return name && join(backupFolder(file), name);
}

/** The backup needs space, and so do rebuilt tables in the write-ahead log. */
function refuseFullDisk(connection: DatabaseSync, file: string): void {
  const { bavail, bsize } = statfsSync(backupFolder(file));
  const [free, needed] = [bavail * bsize, 2 * usedBytes(connection)];
  if (free >= needed) return;
  throw new Error(
    `the disk has ${Math.floor(free / 1e6)} MB left, and the copy and the new tables take ${Math.ceil(needed / 1e6)} MB`,
  );
}

function usedBytes(connection: DatabaseSync): number {
  return countBy(
    connection,
    `select (page_count - freelist_count) * page_size
    from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
}

/** Uses another connection, since one that is inside a transaction cannot copy. */
function copyDatabase(file: string, copy: string): void {
  const connection = openFile(file, { readOnly: true });
  try {
    makeFile(copy);
    connection.prepare('vacuum into ?').run(copy);
  } finally {
    connection.close();
  }
  const descriptor = openSync(copy, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A new database has nothing to lose. */
function hasRows(connection: DatabaseSync): boolean {
  return connection
    .prepare<{ name: string }>(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations'`,
    )
    .all()
    .some(({ name }) => connection.prepare(`select 1 from ${quoteName(name)}`).get());
}

/** The names of backups, oldest first. */
function listBackups(file: string, ending = '.sqlite'): readonly string[] {
  if (!existsSync(backupFolder(file))) return [];
  return readdirSync(backupFolder(file))
    .filter((name) => name.startsWith(basename(file)) && name.endsWith(ending))
    .filter((name) => backupName.test(name.slice(basename(file).length, -ending.length)))
    .toSorted();
}

const backupName = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-.+$/;

function backupFolder(file: string): string {
  return join(dirname(file), 'backups');
}
