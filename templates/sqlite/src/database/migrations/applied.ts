import type { Database } from '../client.ts';
import { isMissingTable } from '../errors.ts';
import type { Applied, AppliedMigration } from './run.ts';

/** Looks, and makes nothing. All of a migration is one transaction here, so that none is ever under way. */
export async function findApplied(database: Database): Promise<Applied> {
  try {
    // A database of a former version has fewer columns.
    const all = database.withTables<{ schema_migrations: AppliedMigration }>();
    return { migrations: await all.selectFrom('schema_migrations').selectAll().execute() };
  } catch (error) {
    if (isMissingTable(error)) return { migrations: [] };
    throw error;
  }
}
