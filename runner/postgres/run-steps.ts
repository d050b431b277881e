import type { Client } from 'pg';
import { inTransaction } from './client.ts';
import { compareSchemas, refuseDrift, reportRows } from '../checks.ts';
import { countRows, readExpectedSchema, readSchema, refuseHiddenRows } from './schema.ts';
import { migrationFailure } from './migration-failure.ts';
import { refusePoorRole } from './rights.ts';
import { watchParts } from './watch-parts.ts';
import { type DataRow, runData } from '../data.ts';
import { readStatements, refuseTransactions } from '../statements.ts';
import { MigrationError, type MigrationRun, type SessionOptions } from '../history.ts';
import { resetSession, withRetries } from './locks.ts';
import {
  type Batches,
  readProgress,
  readSteps,
  refuseRules,
  saveProgress,
  saveRun,
  type Step,
  updateInBatches,
  withoutTriggers,
} from './steps.ts';

/** Runs the remaining steps of a migration. If one fails, those before it stay done, and the next run continues. */
export async function runSteps(
  client: Client,
  run: MigrationRun | undefined,
  options: Required<SessionOptions>,
): Promise<MigrationRun | undefined> {
  const steps = run === undefined ? [] : readSteps(run.sql);
  if (run !== undefined) refuseTransactions(run.sql, `Migration ${run.id} says`);
  const done = await readProgress(client, run, steps);
  if (run === undefined) return undefined;
  await refusePoorRole(client, Object.keys(run.tables));
  // The owner may have created temporary tables of these names.
  await client.query('discard temp');
  if (done === 0) {
    const isFilling = steps.some(({ way }) => 'table' in way);
    if (isFilling) await refuseRules(client, Object.keys(run.tables));
    await checkRows(client, run, options);
  }
  const place = { id: run.id, step: done + 1, steps: steps.length, isUndone: true };
  const finish = await finisher(client, run).catch(async (error: unknown) => {
    throw await migrationFailure(client, place, error);
  });
  for (const [index, step] of [...steps.entries()].slice(done)) {
    const isLast = index === steps.length - 1;
    const save = isLast ? finish : () => saveProgress(client, run, steps.slice(0, index + 1));
    const here = { ...place, step: index + 1, isUndone: step.way.kind !== 'alone' };
    const name = steps.length === 1 ? run.id : `${run.id}, step ${here.step} of ${here.steps}`;
    if (steps.length > 1) options.report(`${name}.`);
    try {
      await withRetries({ ...options, name }, () =>
        runStep(client, step, { ...options, run, save }),
      );
    } catch (error) {
      throw await migrationFailure(client, here, error);
    }
  }
  // The remaining steps were removed from the SQL.
  if (done === steps.length) await inTransaction(client, finish);
  return run;
}

async function checkRows(
  client: Client,
  run: MigrationRun,
  { report }: Required<SessionOptions>,
): Promise<void> {
  try {
    await refuseHiddenRows(client, Object.keys(run.tables));
    const found = await countRows(client, run.checks);
    for (const line of reportRows(run, found)) report(line);
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw await migrationFailure(client, { id: run.id, step: 1, steps: 1, isUndone: true }, error);
  }
}

/** Prepares the comparison with the expected tables, so that the last step holds its locks only briefly. */
async function finisher(client: Client, run: MigrationRun): Promise<() => Promise<void>> {
  const expected =
    run.schema === undefined ? undefined : await readExpectedSchema(client, run.schema);
  return async () => {
    await runData(run.data, {
      all: async (sql, ...values) => (await client.query<DataRow>(sql, [...values])).rows,
      run: async (sql, ...values) => void (await client.query(sql, [...values])),
    });
    if (expected !== undefined) refuseDrift(compareSchemas(expected, await readSchema(client)));
    await saveRun(client, run);
  };
}

interface Options {
  readonly run: MigrationRun;
  report(line: string): void;
  /** How long, in milliseconds, a statement may wait for locks if it blocks nobody. */
  readonly timeout: number;
  /** Records that the step is done, in its transaction if it has one. */
  save(): Promise<void>;
}

/** For a lock that others queue up behind. */
const longestWait = 3000;

/** What is not in the transaction of `save` may have been done already, so it can be repeated. */
export async function runStep(client: Client, { way, sql }: Step, options: Options): Promise<void> {
  if (way.kind === 'alone' || way.kind === 'batches') {
    // One by one, because PostgreSQL runs several statements as one transaction.
    for (const { text } of readStatements(sql)) {
      const isBatch = way.kind === 'batches' && text.includes('$1');
      await (isBatch ? runBatches(client, way, text) : runAlone(client, text, options));
    }
  }
  const reset = async () => {
    await resetSession(client);
    await limitWait(client, Math.min(options.timeout, longestWait));
  };
  await reset();
  await inTransaction(client, async () => {
    const before = await countDeletions(client);
    if (way.kind === 'update') {
      await withoutTriggers(client, way.table, () => client.query(sql));
    }
    if (way.kind === 'transaction') {
      const parts = await watchParts(client, options.run.sql);
      await client.query(await withoutRules(client, sql));
      await reset();
      await parts.refuse();
    }
    await reportLostRows(client, options, before);
    await options.save();
  });
}

/** Drops the constraint of an index that another program made as a constraint. */
async function withoutRules(client: Client, sql: string): Promise<string> {
  const { rows } = await client.query<{ name: string; drop: string }>(
    `select conname as name, format('ALTER TABLE %s DROP CONSTRAINT %I;', conrelid::regclass, conname) as drop
    from pg_constraint where contype = 'u' and connamespace = quote_ident(current_schema())::regnamespace`,
  );
  const drops = new Map(rows.map(({ name, drop }) => [name, drop]));
  return sql.replace(/^DROP INDEX ("[^"]+"|\w+);$/gm, (statement, name: string) => {
    return drops.get(name.replaceAll('"', '')) ?? statement;
  });
}

async function runBatches(client: Client, rows: Batches, update: string): Promise<void> {
  await limitWait(client, longestWait);
  await updateInBatches(client, rows, update);
}

const isConcurrent = /^\s*\w+\s+(unique\s+)?index\s+concurrently\b/im;
const newIndex =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("[^"]+"|\S+)/im;

async function runAlone(client: Client, statement: string, { timeout }: Options): Promise<void> {
  await limitWait(client, isConcurrent.test(statement) ? timeout : longestWait);
  const index = newIndex.exec(statement)?.[1];
  if (index === undefined) await client.query(statement);
  else await buildIndex(client, statement, index);
}

/** An interrupted build leaves an unused index, which blocks the next build and slows down writes. */
async function buildIndex(client: Client, statement: string, index: string): Promise<void> {
  await dropInvalid(client, index);
  try {
    await client.query(statement);
  } catch (error) {
    await dropInvalid(client, index).catch(() => {});
    throw error;
  }
}

async function dropInvalid(client: Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${index}`);
}

async function limitWait(client: Client, milliseconds: number): Promise<void> {
  await client.query(`set lock_timeout = ${milliseconds}`);
}

/**
 * How many rows of each table, by its oid, this session has deleted lately: others may do so meanwhile, too. PostgreSQL
 * also counts earlier transactions, until it has passed their figures on.
 */
async function countDeletions(client: Client) {
  const { rows } = await client.query<{ table: string; name: string; count: string }>(
    `select relid as table, relname as name, n_tup_del as count from pg_stat_xact_user_tables
    where schemaname = current_schema() and n_tup_del > 0`,
  );
  return new Map(rows.map((row) => [row.table, row]));
}

type Deletions = Awaited<ReturnType<typeof countDeletions>>;

async function reportLostRows(
  client: Client,
  { run, report }: Options,
  before: Deletions,
): Promise<void> {
  const kept = Object.values(run.tables);
  for (const [table, { name, count }] of await countDeletions(client)) {
    const lost = Number(count) - Number(before.get(table)?.count ?? 0);
    if (lost === 0 || !kept.includes(name)) continue;
    if (!run.isEdited) {
      throw new MigrationError(
        `It would delete ${lost} rows of ${name}, and this migration must not delete any.`,
      );
    }
    report(`${run.id}, whose SQL was edited, deletes ${lost} rows of ${name}.`);
  }
}
