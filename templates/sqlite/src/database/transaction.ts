import type { Database } from './client.ts';

/** Does all of the work or none of it; joins the transaction that is open already. */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  if (database.isTransaction) return work(database);
  return database.transaction().execute(work);
}
