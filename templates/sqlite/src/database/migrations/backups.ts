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
import type { DatabaseSync } from '../driver.ts';
import { openFile } from '../file.ts';
import { countBy } from './row-counts.ts';
import { quoteName } from './sql-words.ts';

/** Copies a database that has rows to `backups/` beside it, while nobody writes. Returns the copy's path. */
export function writeBackup(
  connection: DatabaseSync,
  file: string,
  id: string,
): string | undefined {
  if (!hasRows(connection)) return undefined;
  const time = new Date().toISOString().replaceAll(':', '-');
  const backup = join(folderOf(file), `${basename(file)}-${time}-${id}.sqlite`);
  try {
    mkdirSync(folderOf(file), { recursive: true });
    removeUnfinished(file);
    refuseFullDisk(connection, file);
    copyDatabase(file, `${backup}.part`);
    renameSync(`${backup}.part`, backup);
  } catch (cause) {
    // Half a copy takes the room that the next try needs.
    rmSync(`${backup}.part`, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no copy of it can be written to ${folderOf(file)}: ${reason}`, { cause });
  }
  return backup;
}

/** What a process has left that was killed while it copied: no other is at it now. */
function removeUnfinished(file: string): void {
  for (const name of namesOf(file, '.sqlite.part')) rmSync(join(folderOf(file), name));
}

/** None of them is ever deleted here: who may need one, and for how long, its owner knows. */
export function countBackups(file: string) {
  const folder = folderOf(file);
  const sizes = namesOf(file).map((name) => statSync(join(folder, name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { folder, copies: sizes.length, megabytes: Math.ceil(bytes / 1e6) };
}

/** The last copy that was made before the migration. */
export function findBackup(file: string, id: string): string | undefined {
  const name = namesOf(file).findLast((it) => it.endsWith(`Z-${id}.sqlite`));
  return name && join(folderOf(file), name);
}

/** The copy takes room, and so do tables that are made again, in the write-ahead log. */
function refuseFullDisk(connection: DatabaseSync, file: string): void {
  const { bavail, bsize } = statfsSync(folderOf(file));
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

/** By a connection of its own: one that is inside a transaction cannot. */
function copyDatabase(file: string, copy: string): void {
  const connection = openFile(file, { readOnly: true });
  try {
    connection.prepare('vacuum into ?').run(copy);
  } finally {
    connection.close();
  }
  const descriptor = openSync(copy, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A database that was just made has nothing to lose. */
function hasRows(connection: DatabaseSync): boolean {
  return connection
    .prepare<{ name: string }>(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations'`,
    )
    .all()
    .some(({ name }) => connection.prepare(`select 1 from ${quoteName(name)}`).get());
}

/** Of the copies that were made here, the oldest first. */
function namesOf(file: string, ending = '.sqlite'): readonly string[] {
  if (!existsSync(folderOf(file))) return [];
  return readdirSync(folderOf(file))
    .filter((name) => name.startsWith(basename(file)) && name.endsWith(ending))
    .filter((name) => made.test(name.slice(basename(file).length, -ending.length)))
    .toSorted();
}

const made = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-.+$/;

function folderOf(file: string): string {
  return join(dirname(file), 'backups');
}
