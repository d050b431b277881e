import type { Client } from 'pg';
import { inTransaction } from '../with-client.ts';
import { MigrationError } from './error.ts';
import { watchParts } from './owned-objects.ts';
import type { MigrationRun } from './run.ts';
import { readStatements } from './statements.ts';
import type { Step } from './steps.ts';
import { updateInBatches, withoutTriggers } from './update-rows.ts';

interface Options {
  readonly run: MigrationRun;
  report(line: string): void;
  /** Milliseconds that a statement in nobody's way may wait for locks. */
  readonly patience: number;
  /** Notes that the step is done: in its transaction, if it is one. */
  save(): Promise<void>;
}

/** For a lock that others wait behind, too. */
const longestWait = 3000;

/** What is not in the transaction of `save` may have been done in part, or whole, before: it can be repeated. */
export async function runStep(client: Client, { way, sql }: Step, options: Options): Promise<void> {
  if (way.kind === 'alone' || way.kind === 'batches') {
    // One by one, because PostgreSQL makes one transaction of what it gets at once.
    for (const { text } of readStatements(sql)) {
      const isBatch = way.kind === 'batches' && text.includes('$1');
      await (isBatch ? runBatches(client, way.table, text) : runAlone(client, text, options));
    }
  }
  await limitWait(client, Math.min(options.patience, longestWait));
  await inTransaction(client, async () => {
    if (way.kind === 'update') {
      await withoutTriggers(client, way.table, () => client.query(sql));
    }
    if (way.kind === 'transaction') {
      const parts = await watchParts(client, options.run.sql);
      await client.query(sql);
      await parts.refuse();
    }
    await reportLostRows(client, options);
    await options.save();
  });
}

async function runBatches(client: Client, table: string, update: string): Promise<void> {
  await limitWait(client, longestWait);
  await updateInBatches(client, table, update);
}

const isConcurrent = /^\s*\w+\s+(unique\s+)?index\s+concurrently\b/im;
const newIndex =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("[^"]+"|\S+)/im;

async function runAlone(client: Client, statement: string, { patience }: Options): Promise<void> {
  await limitWait(client, isConcurrent.test(statement) ? patience : longestWait);
  const index = newIndex.exec(statement)?.[1];
  if (index === undefined) await client.query(statement);
  else await buildIndex(client, statement, index);
}

/** A build that ends early leaves an index that is not used, is in the way of the next build, and slows writes down. */
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

/** Others may add and delete rows meanwhile; what counts is what this transaction has done. */
async function reportLostRows(client: Client, { run, report }: Options): Promise<void> {
  const { rows } = await client.query<{ name: string; lost: string }>(
    `select relname as name, n_tup_del as lost from pg_stat_xact_user_tables
    where schemaname = current_schema() and relname = any($1) and n_tup_del > 0`,
    [Object.values(run.tables)],
  );
  for (const { name, lost } of rows) {
    if (!run.isEdited) {
      throw new MigrationError(`It would delete ${lost} rows of ${name}, which has to keep all.`);
    }
    report(`${run.id}, whose SQL was edited, deletes ${lost} rows of ${name}.`);
  }
}
