import type { Database } from './tables.ts';

/**
 * Does all of the work or none of it; joins a transaction that is already open. The first statement that fails ends it.
 * Anything outside the database belongs after it: a rollback does not undo it.
 */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return database.isTransaction ? work(database) : database.transaction().execute(work);
}
