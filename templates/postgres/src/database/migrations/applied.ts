import type { Database } from '../client.ts';
import { isMissingTable } from '../errors.ts';
import type { Applied, AppliedMigration, UnderWay } from './run.ts';

/** Looks, and makes nothing. */
export async function findApplied(database: Database): Promise<Applied> {
  const all = database.withTables<{
    schema_migrations: AppliedMigration;
    schema_migration_steps: UnderWay;
  }>();
  const migrations = await orNone(() =>
    // A database of a former version has fewer columns.
    all.selectFrom('schema_migrations').selectAll().execute(),
  );
  const [underWay] = await orNone(() =>
    all.selectFrom('schema_migration_steps').select(['id', 'command', 'done']).execute(),
  );
  return { migrations, ...(underWay && { underWay }) };
}

async function orNone<Row>(read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await read();
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
