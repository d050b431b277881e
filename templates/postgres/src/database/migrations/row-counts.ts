import type { Client } from 'pg';
import { withClient } from '../with-client.ts';
import type { FoundRows, RowCheck } from './row-checks.ts';

export function findRows(url: string, checks: readonly RowCheck[]): Promise<readonly FoundRows[]> {
  return withClient(url, (client) => countRows(client, checks));
}

export async function countRows(
  client: Client,
  checks: readonly RowCheck[],
): Promise<readonly FoundRows[]> {
  const found: FoundRows[] = [];
  for (const check of checks) {
    const { rows } = await client.query<string[]>({ text: check.count, rowMode: 'array' });
    found.push({ ...check, rows: Number(rows[0]?.[0]) });
  }
  return found;
}
