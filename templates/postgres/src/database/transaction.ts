import { setTimeout as sleep } from 'node:timers/promises';
import { isRepeatable } from './errors.ts';
import type { Database } from './tables.ts';

const attempts = 5;

/**
 * Does all of the work or none of it; joins a transaction that is already open. The first statement that fails ends it.
 * The work is done again if the database ended it because of a deadlock or a serialization conflict, so anything outside
 * the database belongs after it.
 */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  if (database.isTransaction) return work(database);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (attempt === attempts || !isRepeatable(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}
