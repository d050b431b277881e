import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './client.ts';
import { isRepeatable } from './dialect.ts';

/** Whether the code that runs was called by a transaction that is open. */
const surrounding = new AsyncLocalStorage<{ isOpen: boolean }>();

const attempts = 5;

/**
 * Does all of the work or none of it; joins the transaction that is open already. The first statement that fails ends
 * it. The work is done again when the database chose the transaction as the victim of a deadlock or of a serialization
 * conflict, so what it does outside of the database belongs behind it.
 */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  if (database.isTransaction) return work(database);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(database, work);
    } catch (error) {
      if (attempt === attempts || !isRepeatable(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

async function attemptOnce<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (open) => {
    const state = { isOpen: true };
    try {
      return await surrounding.run(state, () => work(open));
    } finally {
      state.isOpen = false;
    }
  });
}

/** For what would wait for the transaction that waits for it. */
export function refuseInsideTransaction(): void {
  if (surrounding.getStore()?.isOpen !== true) return;
  throw new Error(
    '`app.database` is used inside of an open transaction: use the database that `transaction` hands to its work.',
  );
}
