import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from '../driver.ts';
import { openFile } from '../file.ts';
import { quoteName } from './sql-words.ts';

const kept = 5;

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
    copyDatabase(file, `${backup}.part`);
    renameSync(`${backup}.part`, backup);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no copy of it can be written to ${folderOf(file)}: ${reason}`, { cause });
  }
  return backup;
}

/** The last few stay; what a process left that was killed while it copied goes. */
export function removeOldBackups(file: string): void {
  const names = namesOf(file);
  const unfinished = names.filter((name) => name.endsWith('.part'));
  const old = names.filter((name) => name.endsWith('.sqlite')).slice(0, -kept);
  for (const name of [...unfinished, ...old]) rmSync(join(folderOf(file), name), { force: true });
}

/** The last copy that was made before the migration. */
export function findBackup(file: string, id: string): string | undefined {
  const name = namesOf(file).findLast((it) => it.endsWith(`Z-${id}.sqlite`));
  return name && join(folderOf(file), name);
}

/** By a connection of its own: one that is inside a transaction cannot. */
function copyDatabase(file: string, copy: string): void {
  const connection = openFile(file, { readOnly: true });
  try {
    connection.prepare('vacuum into ?').run(copy);
  } catch (cause) {
    // Half a copy takes the room that the next try needs.
    rmSync(copy, { force: true });
    throw cause;
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

/** The oldest first. */
function namesOf(file: string): readonly string[] {
  if (!existsSync(folderOf(file))) return [];
  return readdirSync(folderOf(file))
    .filter((name) => name.startsWith(`${basename(file)}-`))
    .toSorted();
}

function folderOf(file: string): string {
  return join(dirname(file), 'backups');
}
