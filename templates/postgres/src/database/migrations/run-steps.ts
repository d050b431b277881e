import type { Client } from 'pg';
import { inTransaction } from '../with-client.ts';
import { type DataRow, runData } from './data.ts';
import { compareSchemas, refuseDrift } from './drift.ts';
import { MigrationError } from './error.ts';
import { migrationFailure } from './failure.ts';
import { withRetries } from './lock-retries.ts';
import { readProgress, saveProgress, saveRun } from './progress.ts';
import { reportRows } from './row-checks.ts';
import { countRows, refuseHiddenRows } from './row-counts.ts';
import { runStep } from './run-step.ts';
import type { MigrationRun, SessionOptions } from './run.ts';
import { expectedFacts, readFacts } from './schema-facts.ts';
import { refuseTransactions } from './statements.ts';
import { readSteps } from './steps.ts';
import { refuseRules } from './update-rows.ts';

/** Does what is left to do of a migration. A step that fails leaves those before it done, for the next run to go on. */
export async function runSteps(
  client: Client,
  run: MigrationRun | undefined,
  options: Required<SessionOptions>,
): Promise<MigrationRun | undefined> {
  const steps = run === undefined ? [] : readSteps(run.sql);
  if (run !== undefined) refuseTransactions(run);
  const done = await readProgress(client, run, steps);
  if (run === undefined) return undefined;
  if (done === 0) {
    const isFilling = steps.some(({ way }) => 'table' in way);
    if (isFilling) await refuseRules(client, Object.keys(run.tables));
    await checkRows(client, run, options);
  }
  const finish = await finisher(client, run);
  for (const [index, step] of [...steps.entries()].slice(done)) {
    const isLast = index === steps.length - 1;
    const save = isLast ? finish : () => saveProgress(client, run, steps.slice(0, index + 1));
    const place = {
      id: run.id,
      step: index + 1,
      steps: steps.length,
      isUndone: step.way.kind !== 'alone',
    };
    const name = steps.length === 1 ? run.id : `${run.id}, step ${place.step} of ${place.steps}`;
    if (steps.length > 1) options.report(`${name}.`);
    try {
      await withRetries({ ...options, name }, () =>
        runStep(client, step, { ...options, run, save }),
      );
    } catch (error) {
      throw await migrationFailure(client, place, error);
    }
  }
  // The steps that were left have been taken out of the SQL.
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

/** What the whole has to be is found out before, so that the last step holds its locks for no longer than it must. */
async function finisher(client: Client, run: MigrationRun): Promise<() => Promise<void>> {
  const expected = run.schema === undefined ? undefined : await expectedFacts(client, run.schema);
  return async () => {
    await runData(run.data, {
      all: async (sql, ...values) => (await client.query<DataRow>(sql, [...values])).rows,
      run: async (sql, ...values) => void (await client.query(sql, [...values])),
    });
    if (expected !== undefined) refuseDrift(compareSchemas(expected, await readFacts(client)));
    await saveRun(client, run);
  };
}
