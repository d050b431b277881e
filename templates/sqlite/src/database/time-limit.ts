import { TooSlow } from './reading.ts';

/** When the current statement has to end. In a thread, SQLite runs one at a time. */
let end = Number.POSITIVE_INFINITY;
let isOver = false;

/** The SQL function `in_time`, with which a statement that takes too long ends itself: nothing else can end it. */
export function checkTime(): number {
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
