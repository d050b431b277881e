import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely';
import { isLocked } from './errors.ts';
import type { DatabaseSync } from './file.ts';
import { queue } from './queue.ts';
import { statementRunner } from './statements.ts';
import { refuseStream, transactionGuard } from './safe-kysely.ts';

/** Runs writes, one transaction at a time; none waits longer than this for the one before it. */
export function openWriter(connection: () => DatabaseSync, lockTimeoutMs: number): Driver {
  const run = statementRunner(connection);
  const guard = transactionGuard();
  const inTurn = queue({ workers: 1, maxWaiting: Infinity, maxMilliseconds: lockTimeoutMs });
  let endTurn: (() => void) | undefined;
  let hasFailed = false;

  /**
   * The first statement that fails ends its transaction: code that catches the error and goes on cannot commit half of
   * its work.
   */
  const strictly = <Row>(text: string, parameters: readonly unknown[] = []) => {
    if (text.startsWith('rollback')) hasFailed = false;
    else if (hasFailed && connection().isTransaction) throw new Error(aborted);
    try {
      return run<Row>(text, parameters);
    } catch (error) {
      hasFailed = connection().isTransaction;
      throw error;
    }
  };
  /** Tries again while another process holds the lock. SQLite's own time-out would hold up this whole process. */
  const patiently = async <Row>(text: string, parameters?: readonly unknown[]) => {
    const end = performance.now() + lockTimeoutMs;
    for (;;) {
      try {
        return strictly<Row>(text, parameters);
      } catch (error) {
        if (hasFailed || !isLocked(error) || performance.now() > end) throw error;
        await sleep(10);
      }
    }
  };
  const writer: DatabaseConnection = {
    executeQuery: ({ sql, parameters }: CompiledQuery) => patiently(sql, parameters),
    streamQuery: refuseStream,
  };
  return {
    async init() {
      connection().exec('pragma busy_timeout = 0');
    },
    async acquireConnection() {
      guard.refuseInside();
      await new Promise<void>((begin, refuse) => {
        const hold = (end: () => void) => {
          endTurn = end;
          begin();
        };
        inTurn(() => new Promise<void>(hold)).catch(refuse);
      });
      return writer;
    },
    async releaseConnection() {
      endTurn?.();
    },
    async beginTransaction() {
      guard.enter(writer);
      hasFailed = false;
      // A deferred transaction that turns into a write fails at once when another process has written meanwhile.
      await patiently('begin immediate');
    },
    async commitTransaction() {
      strictly('commit');
      guard.leave(writer);
    },
    async rollbackTransaction() {
      guard.leave(writer);
      // If the disk is full, SQLite has rolled back already: doing it again would fail, and hide the cause.
      if (connection().isTransaction) strictly('rollback');
    },
    async destroy() {},
  };
}

const aborted =
  'A statement of this transaction has failed, so nothing of it can be kept: let the error pass, or put what may fail into a savepoint.';
