import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { isRepeatable } from './errors.ts';
import type { Database, Tables } from './tables.ts';

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
      return await database.transaction().execute(work);
    } catch (error) {
      if (attempt === attempts || !isRepeatable(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

/** Every transaction ends with its work, and nothing else holds a connection. */
export class SafeKysely extends Kysely<Tables> {
  override connection(): never {
    throw new Error(
      'A connection that somebody holds can keep every write waiting: use `transaction`.',
    );
  }

  override startTransaction(): never {
    throw new Error(
      'A transaction that nobody ends holds up every write: use `transaction`, which ends with its work.',
    );
  }
}

/** For the driver of one database: knows what is called by a transaction, whoever opened that. */
export function transactionGuard() {
  const surrounding = new AsyncLocalStorage<{ isOpen: boolean }>();
  // In use from the start: what waits while it is not would be taken to be inside of the first transaction.
  surrounding.run({ isOpen: false }, () => {});
  const transactions = new WeakMap<object, { isOpen: boolean }>();
  return {
    /** Before the driver waits for anything: what is called from here on is inside of the transaction. */
    enter(connection: object): void {
      const state = { isOpen: true };
      transactions.set(connection, state);
      surrounding.enterWith(state);
    },
    leave(connection: object): void {
      const state = transactions.get(connection);
      if (state) state.isOpen = false;
    },
    isInside: (connection: object) => transactions.get(connection)?.isOpen === true,
    /** For what would wait for the transaction that waits for it, or not be part of it. */
    refuseInside(): void {
      if (surrounding.getStore()?.isOpen !== true) return;
      throw new Error(
        '`app.database` is used inside of an open transaction: use the database that the transaction hands to its work.',
      );
    },
  };
}

/** For drivers: an open result holds a connection, and what is asked meanwhile would wait for that. */
// oxlint-disable-next-line require-yield -- Kysely asks for a generator
export async function* refuseStream(): AsyncGenerator<never> {
  throw new Error('Rows are not read one by one: read them in pages.');
}
