import { unavailable } from './problem.ts';

interface QueueOptions {
  readonly workers: number;
  readonly maxWaiting: number;
  readonly maxMilliseconds: number;
}

/** Runs so many tasks at a time; refuses more than can wait, and those that waited too long. */
export function queue({ workers, maxWaiting, maxMilliseconds }: QueueOptions) {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = () =>
    new Promise<void>((start, refuse) => {
      if (waiting.size === maxWaiting) throw unavailable();
      const begin = () => {
        clearTimeout(timer);
        start();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        refuse(unavailable(5));
      }, maxMilliseconds);
      waiting.add(begin);
    });

  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running === workers) await turn();
    else running += 1;
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else {
        running -= 1;
      }
    }
  };
}
