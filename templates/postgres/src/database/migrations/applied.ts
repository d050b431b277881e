import { sql } from 'kysely';
import type { Database } from '../client.ts';
import { isMissingTable } from '../errors.ts';
import type { Applied, UnderWay } from './run.ts';

/** Looks, and makes nothing. */
export async function findApplied(database: Database): Promise<Applied> {
  const migrations = await orNone(() =>
    database.selectFrom('schema_migrations').select(['id', 'checksum']).execute(),
  );
  const [underWay] = await orNone(async () => {
    const query = sql<UnderWay>`select id, command, done from schema_migration_steps`;
    return (await query.execute(database)).rows;
  });
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
