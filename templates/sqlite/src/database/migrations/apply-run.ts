import { rmSync } from 'node:fs';
import type { DatabaseSync } from '../driver.ts';
import { countBackups, writeBackup } from './backups.ts';
import { refuseDrift } from './drift.ts';
import { MigrationError } from './error.ts';
import { findBroken, refuseOwnParts, remakeCarried } from './owned-objects.ts';
import { reportRows } from './row-checks.ts';
import { countBy, countRows } from './row-counts.ts';
import type { AppliedMigration, MigrationRun, SessionOptions } from './run.ts';
import { driftOf } from './schema-facts.ts';
import { quoteName } from './sql-words.ts';

export function readApplied(connection: DatabaseSync): readonly AppliedMigration[] {
  connection.exec(
    'create table if not exists schema_migrations (id text primary key not null, checksum text not null, applied_at text not null) strict',
  );
  return connection.prepare<AppliedMigration>('select id, checksum from schema_migrations').all();
}

/** Inside a transaction that the caller undoes when this throws, with foreign keys off. */
export function applyRun(
  connection: DatabaseSync,
  file: string,
  run: MigrationRun,
  report: SessionOptions['report'],
): void {
  refuseTransactions(run);
  let backup: string | undefined;
  try {
    for (const line of reportRows(run, countRows(connection, run.checks))) report(line);
    refuseOwnParts(connection, run);
    backup = run.backup ? writeBackup(connection, file, run.id) : undefined;
    change(connection, run, report);
  } catch (cause) {
    if (backup !== undefined) rmSync(backup);
    if (cause instanceof MigrationError) throw cause;
    throw new MigrationError(
      `Migration ${run.id} failed and was undone, the database is as it was: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  if (backup === undefined) return;
  report(`${run.id}: a copy of the database is in ${backup}.`);
  const { copies, megabytes, folder } = countBackups(file);
  if (copies > 5)
    report(`${folder} holds ${copies} copies, ${megabytes} MB: they are yours to delete.`);
}

/** A script that commits by itself could not be undone. A bare END is that of a trigger. */
function refuseTransactions({ id, sql }: MigrationRun): void {
  const [statement] =
    /^[ \t]*(begin|commit|rollback|end(?= transaction))( \w+)?( transaction)?\s*;/im.exec(sql) ??
    [];
  if (statement === undefined) return;
  throw new MigrationError(
    `Migration ${id} says \`${statement.trim()}\`, and it runs in one transaction already: remove that. Nothing was changed.`,
  );
}

function change(
  connection: DatabaseSync,
  run: MigrationRun,
  report: SessionOptions['report'],
): void {
  const broken = new Set(findBroken(connection));
  const rows = countTables(connection, Object.keys(run.tables));
  connection.exec(run.sql);
  remakeCarried(connection);
  for (const line of lostRows(run, rows, countTables(connection, Object.values(run.tables)))) {
    if (!run.isEdited) throw new Error(line);
    report(`${run.id}, whose SQL was edited: ${line}`);
  }
  refuseLostReferences(connection);
  refuseBroken(findBroken(connection).filter((name) => !broken.has(name)));
  if (run.schema !== undefined) refuseDrift(driftOf(connection, run.schema));
  record(connection, run);
}

function lostRows(
  { tables }: MigrationRun,
  before: readonly number[],
  after: readonly number[],
): readonly string[] {
  return Object.entries(tables).flatMap(([was, is], index) =>
    before[index] === after[index]
      ? []
      : [`${was} had ${before[index]} rows, ${is} would have ${after[index]}.`],
  );
}

function refuseLostReferences(connection: DatabaseSync): void {
  const lost = connection
    .prepare<{ child: string; parent: string; rows: number }>(
      'select "table" as child, parent, count(*) as rows from pragma_foreign_key_check group by 1, 2',
    )
    .all();
  if (lost.length === 0) return;
  const rows = lost.map((it) => `${it.rows} of ${it.child} that point to ${it.parent}`);
  throw new Error(
    `it would leave rows that point to rows which are not there: ${rows.join(', ')}.`,
  );
}

function refuseBroken(names: readonly string[]): void {
  if (names.length === 0) return;
  throw new Error(
    `what you made in the database needs what it takes away: ${names.join(', ')}. Drop or change that first.`,
  );
}

function record(connection: DatabaseSync, { removes, adds }: MigrationRun): void {
  const remove = connection.prepare('delete from schema_migrations where id = ?');
  for (const id of removes) remove.run(id);
  const add = connection.prepare(
    'insert into schema_migrations (id, checksum, applied_at) values (?, ?, ?)',
  );
  for (const { id, checksum } of adds) add.run(id, checksum, new Date().toISOString());
}

function countTables(connection: DatabaseSync, tables: readonly string[]): readonly number[] {
  return tables.map((table) => countBy(connection, `select count(*) from ${quoteName(table)}`));
}
