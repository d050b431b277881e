import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { SessionOptions } from './run.ts';

interface Options extends Required<SessionOptions> {
  /** Who waits, at the beginning of a sentence. */
  readonly name: string;
}

const [shortestPause, longestPause] = [200, 5000];

/**
 * Repeats work that another session's lock has stopped. Whoever wants the same table queues up behind one that waits
 * for it, so the wait is short each time, with room for the others in between.
 */
export async function withRetries<Result>(
  { name, report, patience }: Options,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + patience;
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() + pause > deadline) throw error;
      report(`${name}: another session holds a lock that it needs; trying again.`);
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }
}

/** `lock_not_available` or `deadlock_detected`. */
export function isLocked(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01');
}
