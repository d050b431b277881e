import { type DatabaseConnection, SqliteDriver, type SqliteStatement } from 'kysely';
import type { DatabaseSync } from './file.ts';
import { queue } from './queue.ts';
import { statementCache } from './statements.ts';
import { refuseStream, transactionGuard } from './transaction.ts';

/** Writes, one transaction at a time; none waits longer for the one before it. */
export function openWriter(connection: DatabaseSync, lockTimeoutMs: number): SqliteDriver {
  const statementOf = statementCache(connection);
  return new WritingDriver(connection, strictly(connection, statementOf), lockTimeoutMs);
}

class WritingDriver extends SqliteDriver {
  readonly #connection: DatabaseSync;
  readonly #guard = transactionGuard();
  readonly #inTurn: ReturnType<typeof queue>;
  #endTurn = () => {};

  constructor(
    connection: DatabaseSync,
    statementOf: (text: string) => SqliteStatement,
    lockTimeoutMs: number,
  ) {
    super({ database: { prepare: statementOf, close: () => connection.close() } });
    this.#connection = connection;
    this.#inTurn = queue({ workers: 1, maxWaiting: Infinity, maxMilliseconds: lockTimeoutMs });
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.refuseInside();
    await new Promise<void>((begin, refuse) => {
      const hold = (end: () => void) => {
        this.#endTurn = end;
        begin();
      };
      this.#inTurn(() => new Promise<void>(hold)).catch(refuse);
    });
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection();
    this.#endTurn();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#guard.enter(connection);
    await super.beginTransaction(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#guard.leave(connection);
  }

  /** A full disk has made SQLite roll back already: to ask for it again would fail, and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#guard.leave(connection);
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * As on PostgreSQL, a transaction ends with the first statement that fails in it: what its code catches and goes on
 * from does not become half of a commit.
 */
function strictly(connection: DatabaseSync, statementOf: (text: string) => SqliteStatement) {
  let hasFailed = false;
  return (text: string): SqliteStatement => {
    if (text === 'begin' || text.startsWith('rollback')) hasFailed = false;
    else if (hasFailed && connection.isTransaction) throw new Error(aborted);
    // A deferred transaction that turns into a write fails at once when another process has written meanwhile.
    const statement = statementOf(text === 'begin' ? 'begin immediate' : text);
    const watched = <Result>(run: () => Result): Result => {
      try {
        return run();
      } catch (error) {
        hasFailed = connection.isTransaction;
        throw error;
      }
    };
    return {
      reader: statement.reader,
      all: (parameters) => watched(() => statement.all(parameters)),
      run: (parameters) => watched(() => statement.run(parameters)),
      iterate: refuseStream,
    };
  };
}

const aborted =
  'A statement of this transaction has failed, so nothing of it can be kept: let the error pass, or put what may fail into a savepoint.';
