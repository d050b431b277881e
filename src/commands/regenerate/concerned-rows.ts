import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Regeneration } from '../../project/regeneration.ts';
import type { Running } from '../../system/run.ts';
import { askStatus } from '../database-status.ts';

/** Acceptance key → how many rows of the project's database the hazard concerns. */
export type ConcernedRows = ReadonlyMap<string, number>;

const timeout = 60_000;

/**
 * For the person who decides; the migration counts again when it is applied, in the database that it is applied to.
 * Empty where there is no database to ask, or one that lacks an earlier migration.
 */
export async function countConcernedRows(
  { migration, unaccepted, ambiguities }: Regeneration,
  { folder, interruption }: Running,
): Promise<ConcernedRows> {
  const none = new Map<string, number>();
  if (migration === undefined || unaccepted.length + ambiguities.length === 0) return none;
  const until = AbortSignal.any([interruption, AbortSignal.timeout(timeout)]);
  const drafts = await mkdtemp(join(tmpdir(), 'scaffold-draft-'));
  try {
    const draft = join(drafts, 'meta.json');
    await writeFile(draft, migration.migration.files['meta.json']);
    const asked = await askStatus({ folder, interruption: until }, ['--draft', draft]);
    if (!('status' in asked)) return none;
    return new Map(asked.status.concerned.map(({ hazard, rows }) => [hazard, rows]));
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

/** ` 1,204 rows in your database.`; nothing where nobody counted. */
export function rowsText(rows: number | undefined): string {
  if (rows === undefined) return '';
  const number = rows.toLocaleString('en-US');
  return ` ${number} ${rows === 1 ? 'row' : 'rows'} in your database.`;
}
