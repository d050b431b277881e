import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A database on which transactions can be opened only in a way that always ends them. */
export class SafeKysely extends Kysely<Tables> {
  override connection(): never {
    throw new Error(
      'A connection that somebody holds can keep every write waiting: use `transaction`.',
    );
  }

  override startTransaction(): never {
    throw new Error(
      'A transaction left open would block every write: use `transaction`, which commits or rolls back.',
    );
  }
}

/** Knows which calls are made inside a transaction, for drivers. */
export function transactionGuard() {
  const surrounding = new AsyncLocalStorage<{ isOpen: boolean }>();
  // Entered at the start: otherwise, what waits already would seem to be inside the first transaction.
  surrounding.run({ isOpen: false }, () => {});
  const transactions = new WeakMap<object, { isOpen: boolean }>();
  return {
    /** Called before the driver waits for anything: what is called from here on is inside the transaction. */
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
    /** Throws for a query that would wait for its own transaction, or would not be part of it. */
    refuseInside(): void {
      if (surrounding.getStore()?.isOpen !== true) return;
      throw new Error(
        '`app.database` is used inside an open transaction: use the database that the transaction hands to its work.',
      );
    },
  };
}

/** For drivers: an open result holds a connection, and further queries would wait for it. */
// oxlint-disable-next-line require-yield -- Kysely asks for a generator
export async function* refuseStream(): AsyncGenerator<never> {
  throw new Error('Streaming is not supported: read in pages.');
}
