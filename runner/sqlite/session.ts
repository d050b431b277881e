import { rmSync } from 'node:fs';
import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { databaseFile, isLocked, makeFile, openFile } from './file.ts';
import { refuseDrift, reportRows } from '../checks.ts';
import { countBy, countRows, listTableDrift, readRows } from './schema.ts';
import {
  countBackups,
  findBackup,
  listBroken,
  refuseOwnParts,
  remakeCarried,
  writeBackup,
} from './precautions.ts';
import { readApplied, record } from './record.ts';
import { runData } from '../data.ts';
import { quoteName, refuseTransactions } from '../statements.ts';
import {
  MigrationError,
  type MigrationRun,
  type MigrationSession,
  type SessionOptions,
} from '../history.ts';
import { waitFor } from '../wait-for.ts';

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

/** Opens a connection for one migration, so that its temporary tables and settings end with it. */
async function withConnection<Result>(
  file: string,
  work: (connection: DatabaseSync) => Promise<Result>,
): Promise<Result> {
  const connection = openFile(file);
  try {
    ignoreForeignKeys(connection);
    // Longer waits happen below, without blocking this process.
    connection.exec('pragma busy_timeout = 100');
    return await work(connection);
  } finally {
    connection.close();
  }
}

/**
 * Dropping a rebuilt table must not delete the rows that refer to it. Inside a transaction, SQLite silently ignores
 * this pragma.
 */
function ignoreForeignKeys(connection: DatabaseSync): void {
  connection.exec('pragma foreign_keys = OFF');
  const setting = connection.prepare<{ foreign_keys: number }>('pragma foreign_keys').get();
  if (setting?.foreign_keys === 0) return;
  throw new MigrationError(
    'Foreign keys cannot be turned off here: migrate outside of a transaction.',
  );
}

/** The write lock separates processes: whoever has it knows what is applied until it commits or dies. */
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

/** Runs a migration in the transaction of the caller, who undoes it if this throws. Foreign keys are off. */
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
      `Migration ${run.id} failed and was undone, the database is as it was: ${explainFailure(connection, cause)}`,
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
  const broken = new Set(listBroken(connection));
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
  refuseBroken(listBroken(connection).filter((name) => !broken.has(name)));
  if (run.schema !== undefined) refuseDrift(listTableDrift(connection, run.schema));
  record(connection, run);
  // Committed here, so that a full disk is reported as such.
  connection.exec('commit');
}

/** Refuses a script that has ended its transaction with a hidden statement. */
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

function countTables(connection: DatabaseSync, tables: readonly string[]): readonly number[] {
  return tables.map((table) => countBy(connection, `select count(*) from ${quoteName(table)}`));
}

/** SQLite does not say which generated column of the owner needs the dropped one. */
function explainFailure(connection: DatabaseSync, error: unknown): string {
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
