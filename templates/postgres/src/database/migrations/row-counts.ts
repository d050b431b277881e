import { type Client, DatabaseError } from 'pg';
import { withClient } from '../with-client.ts';
import { MigrationError } from './error.ts';
import type { FoundRows, RowCheck } from './row-checks.ts';

export function findRows(url: string, checks: readonly RowCheck[]): Promise<readonly FoundRows[]> {
  return withClient(url, async (client) => {
    await client.query('set row_security = off');
    return countRows(client, checks);
  });
}

export async function countRows(
  client: Client,
  checks: readonly RowCheck[],
): Promise<readonly FoundRows[]> {
  const found: FoundRows[] = [];
  for (const check of checks) {
    const { rows } = await client
      .query<string[]>({ text: check.count, rowMode: 'array' })
      .catch(explainPolicies);
    found.push({ ...check, rows: Number(rows[0]?.[0]) });
  }
  return found;
}

/** Where a policy hides rows from this role, PostgreSQL refuses to read: see the settings of the session. */
export async function refuseHiddenRows(client: Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await client
      .query(`select from ${client.escapeIdentifier(table)} limit 0`)
      .catch(explainPolicies);
  }
}

function explainPolicies(error: unknown): never {
  if (!(error instanceof DatabaseError) || !error.message.includes('row-level security'))
    throw error;
  throw new MigrationError(
    `${error.message}. A migration has to see every row: run it as a role with BYPASSRLS. Nothing was changed.`,
    { cause: error },
  );
}
