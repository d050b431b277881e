import { type DatabaseSync, makeFile, openFile as open } from '../../migrations/migrate.js';
import { TooSlow } from './errors.ts';

export { databaseFile } from '../../migrations/migrate.js';
export type { Column, DatabaseSync, StatementSync } from '../../migrations/migrate.js';

/** A connection like that of migrations, whose statements end themselves. Your own pragmas go here. */
export function openFile(file: string, options?: Parameters<typeof open>[1]): DatabaseSync {
  const connection = open(file, options);
  connection.function('in_time', { deterministic: false }, checkTime);
  return connection;
}

/** Makes and opens the file when it is first used, so that printing the OpenAPI document leaves none behind. */
export function openLater(file: string, options: NonNullable<Parameters<typeof open>[1]>) {
  let connection: DatabaseSync | undefined;
  return {
    get(): DatabaseSync {
      if (!connection && !options.readOnly) makeFile(file);
      return (connection ??= openFile(file, options));
    },
    close: () => connection?.close(),
  };
}

/** When the current statement has to end: of all connections of a thread, one runs a statement at a time. */
let end = Number.POSITIVE_INFINITY;
let isOver = false;

/** The SQL function `in_time`, with which a statement that takes too long ends itself: nothing else can end it. */
function checkTime(): number {
  if (performance.now() <= end) return 1;
  isOver = true;
  throw new Error('The time is up.');
}

export function withinTime<Result>(limitMs: number, run: () => Result): Result {
  end = performance.now() + limitMs;
  isOver = false;
  try {
    return run();
  } catch (error) {
    throw isOver ? new TooSlow(`A statement took more than ${limitMs} ms.`) : error;
  } finally {
    end = Number.POSITIVE_INFINITY;
  }
}
