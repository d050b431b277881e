import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { databaseFile, isLocked, makeFile, openFile } from './file.ts';
import { refuseDrift, reportRows } from '../checks.ts';
import { countBy, countRows, driftOf, quoteName, readRows } from './facts.ts';
import {
  countBackups,
  findBackup,
  findBroken,
  refuseOwnParts,
  remakeCarried,
  writeBackup,
} from './precautions.ts';
import { runData } from '../data.ts';
import { refuseTransactions } from '../statements.ts';
import {
  type Applied,
  type AppliedMigration,
  MigrationError,
  type MigrationRun,
  type MigrationSession,
  refuseForeignRecord,
  type SessionOptions,
  waitFor,
} from '../history.ts';

export async function migrationSession<Result>(
  url: string,
  options: SessionOptions,
  work: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  const file = databaseFile(url);
  makeFile(file);
  return work({
    run: (choose) =>
      withConnection(file, async (connection) => {
        await beginAlone(connection, file, options);
        return finish(connection, async () => {
          const run = choose({ migrations: readApplied(connection) });
          if (run !== undefined) await applyRun(connection, file, run, options.report);
          return run;
        });
      }),
    restore: (id) => restoring(file, id),
  });
}

/** One for each migration: its temporary tables, and what it sets for its connection, end with it. */
async function withConnection<Result>(
  file: string,
  work: (connection: DatabaseSync) => Promise<Result>,
): Promise<Result> {
  const connection = openFile(file);
  try {
    ignoreForeignKeys(connection);
    // Whoever waits longer does so below, where the rest of this process goes on.
    connection.exec('pragma busy_timeout = 100');
    return await work(connection);
  } finally {
    connection.close();
  }
}

/**
 * Dropping a table that is rebuilt must not delete the rows that point to it. Inside a transaction, SQLite passes over
 * the pragma without a word.
 */
function ignoreForeignKeys(connection: DatabaseSync): void {
  connection.exec('pragma foreign_keys = OFF');
  const setting = connection.prepare<{ foreign_keys: number }>('pragma foreign_keys').get();
  if (setting?.foreign_keys === 0) return;
  throw new MigrationError(
    'Foreign keys cannot be turned off here: migrate outside of a transaction.',
  );
}

/** The write lock is the lock between processes: one that has it knows what is applied until it commits, or dies. */
async function beginAlone(
  connection: DatabaseSync,
  file: string,
  { timeout = Infinity, report }: SessionOptions,
): Promise<void> {
  const held = (milliseconds: number) =>
    `Another connection has been writing to ${file} for ${milliseconds / 1000} s: a migration, or a transaction that is still open, perhaps of this very process.`;
  const isBegun = await waitFor(() => tryBegin(connection), {
    timeout,
    onWait: (seconds) => report(`${held(seconds * 1000)} Waiting.`),
  });
  if (isBegun) return;
  throw new MigrationError(`${held(timeout)} Nothing was changed; try again.`);
}

function tryBegin(connection: DatabaseSync): boolean {
  try {
    connection.exec('begin immediate');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

async function finish<Result>(
  connection: DatabaseSync,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    if (connection.isTransaction) connection.exec('commit');
    return result;
  } finally {
    if (connection.isTransaction) connection.exec('rollback');
  }
}

function restoring(file: string, id: string): string {
  const backup = findBackup(file, id);
  if (backup === undefined) return 'restore a backup that is older.';
  return `stop the server, delete ${file}-wal and ${file}-shm, and copy ${backup} over ${file}, which does not have what was written since.`;
}

function readApplied(connection: DatabaseSync): readonly AppliedMigration[] {
  refuseForeignRecord(recordColumns(connection));
  connection.exec(
    'create table if not exists schema_migrations (id text primary key not null, checksum text not null, applied_at text not null, additive integer) strict',
  );
  if (!recordColumns(connection).includes('additive'))
    connection.exec('alter table schema_migrations add column additive integer');
  return connection
    .prepare<AppliedMigration>('select id, checksum, additive from schema_migrations')
    .all();
}

function recordColumns(connection: DatabaseSync): readonly string[] {
  return connection
    .prepare<{ name: string }>(`select name from pragma_table_info('schema_migrations')`)
    .all()
    .map(({ name }) => name);
}

/** Ends the transaction that the caller has begun, and undoes when this throws; with foreign keys off. */
async function applyRun(
  connection: DatabaseSync,
  file: string,
  run: MigrationRun,
  report: SessionOptions['report'],
): Promise<void> {
  refuseTransactions(run.sql, `Migration ${run.id} says`);
  let backup: string | undefined;
  try {
    for (const line of reportRows(run, countRows(connection, run.checks))) report(line);
    refuseOwnParts(connection, run);
    backup = run.backup ? writeBackup(connection, file, run.id) : undefined;
    await change(connection, run, report);
  } catch (cause) {
    if (backup !== undefined) rmSync(backup);
    if (cause instanceof MigrationError) throw cause;
    throw new MigrationError(
      `Migration ${run.id} failed and was undone, the database is as it was: ${reasonOf(connection, cause)}`,
      { cause },
    );
  }
  if (backup === undefined) return;
  report(`${run.id}: a copy of the database is in ${backup}.`);
  const { copies, megabytes, folder } = countBackups(file);
  if (copies > 5)
    report(`${folder} holds ${copies} copies, ${megabytes} MB: they are yours to delete.`);
}

async function change(
  connection: DatabaseSync,
  run: MigrationRun,
  report: SessionOptions['report'],
): Promise<void> {
  const broken = new Set(findBroken(connection));
  const rows = countTables(connection, Object.keys(run.tables));
  connection.exec(run.sql);
  refuseEnded(connection, run);
  await runData(run.data, {
    all: async (sql, ...values) => readRows(connection, sql, values),
    run: async (sql, ...values) => void connection.prepare(sql).run(...values),
  });
  refuseEnded(connection, run);
  remakeCarried(connection);
  for (const line of lostRows(run, rows, countTables(connection, Object.values(run.tables)))) {
    if (!run.isEdited) throw new Error(line);
    report(`${run.id}, whose SQL was edited: ${line}`);
  }
  refuseLostReferences(connection);
  refuseBroken(findBroken(connection).filter((name) => !broken.has(name)));
  if (run.schema !== undefined) refuseDrift(driftOf(connection, run.schema));
  record(connection, run);
  // Here, so that a full disk is reported as what it is.
  connection.exec('commit');
}

/** By a statement that stood where nobody looked for one. */
function refuseEnded(connection: DatabaseSync, { id }: MigrationRun): void {
  if (connection.isTransaction) return;
  throw new MigrationError(
    `Migration ${id} has ended its transaction: what it did until then stays, and it does not count as applied. Take that back by hand, and remove the statement that ends it.`,
  );
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
    'insert into schema_migrations (id, checksum, applied_at, additive) values (?, ?, ?, ?)',
  );
  for (const { id, checksum, additive } of adds) {
    add.run(id, checksum, new Date().toISOString(), additive ?? null);
  }
}

function countTables(connection: DatabaseSync, tables: readonly string[]): readonly number[] {
  return tables.map((table) => countBy(connection, `select count(*) from ${quoteName(table)}`));
}

/** SQLite does not say which generated column of the owner needs the one that goes. */
function reasonOf(connection: DatabaseSync, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const table = /^error in table (.+) after drop column/.exec(message)?.[1];
  if (table === undefined) return message;
  const generated = connection
    .prepare<{ name: string }>('select name from pragma_table_xinfo(?) where hidden in (2, 3)')
    .all(table)
    .map(({ name }) => name);
  if (generated.length === 0) return message;
  return `${message}. A generated column of yours may need it: ${generated.join(', ')}. Drop that first.`;
}

/** Looks, and makes nothing. All of a migration is one transaction here, so that none is ever under way. */
export async function findApplied(url: string): Promise<Applied> {
  const file = databaseFile(url);
  // Opening a missing file would create it.
  if (!existsSync(file)) return { migrations: [] };
  const connection = openFile(file, { readOnly: true });
  try {
    const columns = recordColumns(connection);
    refuseForeignRecord(columns);
    if (columns.length === 0) return { migrations: [] };
    // A database of a former version has fewer columns.
    const all = connection.prepare<AppliedMigration>('select * from schema_migrations');
    return { migrations: all.all() };
  } finally {
    connection.close();
  }
}
