import type { Database } from '../client.ts';
import { isMissingTable } from '../errors.ts';
import type { Applied } from './run.ts';

/** Looks, and makes nothing. All of a migration is one transaction here, so that none is ever under way. */
export async function findApplied(database: Database): Promise<Applied> {
  try {
    const columns = ['id', 'checksum'] as const;
    return { migrations: await database.selectFrom('schema_migrations').select(columns).execute() };
  } catch (error) {
    if (isMissingTable(error)) return { migrations: [] };
    throw error;
  }
}
