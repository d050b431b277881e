/** There is more to do than can be done in time: 503. */
export class Busy extends Error {}

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
      if (waiting.size === maxWaiting) throw new Busy('Too many are waiting.');
      const begin = () => {
        clearTimeout(timer);
        start();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        refuse(new Busy('It waited too long.'));
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
