import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { Database } from './client.ts';

const attempts = 5;

/**
 * Does all of the work or none of it; joins the transaction that is open already.
 * The work is repeated when PostgreSQL chose it as the victim of a deadlock or of a serialization conflict.
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

/** `serialization_failure` and `deadlock_detected`: nothing was committed. */
function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}
