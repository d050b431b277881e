import type { Client } from 'pg';
import type { Migration } from '../../../src/evolve/migration.ts';
import { readSteps, updateInBatches } from '../../../runner/postgres/steps.ts';
import { type Check, hazardsOf } from './sqlite-runner.ts';

/** Applies a migration as a project's runner does: the counts first, then step by step. */
export async function applyPostgres(
  client: Client,
  { files }: Migration,
  way: 'up.sql' | 'down.sql' = 'up.sql',
): Promise<void> {
  await refuseRows(client, hazardsOf(files['meta.json'], way));
  for (const { way: kind, sql } of readSteps(files[way] ?? 'this cannot be taken back')) {
    // A step without a transaction runs twice, as if the process had ended before it could record that the step was done.
    if (kind.kind === 'alone') {
      await oneByOne(client, sql);
      await oneByOne(client, sql);
    } else if (kind.kind === 'batches') {
      await updateInBatches(client, kind, sql);
      await updateInBatches(client, kind, sql);
    } else await together(client, sql);
  }
}

async function oneByOne(client: Client, sql: string): Promise<void> {
  for (const statement of sql.split('\n\n')) await client.query(statement);
}

async function together(client: Client, sql: string): Promise<void> {
  try {
    await client.query(`BEGIN;\n${sql}\nCOMMIT;`);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function refuseRows(client: Client, checks: readonly Check[]): Promise<void> {
  for (const { code, target, count, stops } of checks) {
    if (count === undefined) continue;
    const { rows } = await client.query<string[]>({ text: count, rowMode: 'array' });
    const concerned = Number(rows[0]?.[0]);
    if (stops && concerned > 0) throw new Error(`${code}:${target} concerns ${concerned} rows`);
  }
}
