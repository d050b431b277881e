import { Busy } from './errors.ts';

interface QueueOptions {
  readonly workers: number;
  /** The tasks of one client. */
  readonly maxWaiting: number;
  readonly maxMilliseconds: number;
}

const halfLifeMs = 10_000;

/**
 * Runs a limited number of tasks at a time. Each client has a queue of its own, and the client that has used the least
 * time recently goes next, so a heavy client delays only itself; those without a name share a queue. Refuses tasks when
 * too many wait, and those that waited too long. A task gets the number of queues that are waiting.
 */
export function queue({ workers, maxWaiting, maxMilliseconds }: QueueOptions) {
  const lines = new Map<string, Set<() => void>>();
  /** Milliseconds that each client has used, halved every ten seconds. */
  const spent = new Map<string, number>();
  let halvedAt = performance.now();
  let running = 0;

  const turn = (client: string) =>
    new Promise<void>((start, refuse) => {
      const line = lines.get(client) ?? new Set();
      if (line.size === maxWaiting) throw new Busy('The queue is full.');
      const leave = () => {
        line.delete(begin);
        if (line.size === 0) lines.delete(client);
      };
      const begin = () => {
        clearTimeout(timer);
        leave();
        start();
      };
      const timer = setTimeout(() => {
        leave();
        refuse(new Busy('Timed out in the queue.'));
      }, maxMilliseconds);
      lines.set(client, line.add(begin));
    });

  const count = (client: string, milliseconds: number) => {
    spent.set(client, (spent.get(client) ?? 0) + milliseconds);
    if (performance.now() - halvedAt < halfLifeMs) return;
    halvedAt = performance.now();
    for (const [name, time] of spent) {
      if (time < 2) spent.delete(name);
      else spent.set(name, time / 2);
    }
  };

  const next = () => {
    let least: string | undefined;
    for (const client of lines.keys()) {
      if (least === undefined || timeOf(client) < timeOf(least)) least = client;
    }
    const [begin] = lines.get(least ?? '') ?? [];
    if (begin === undefined) running -= 1;
    else begin();
  };
  const timeOf = (client: string) => spent.get(client) ?? 0;

  return async <T>(task: (waitingLines: number) => Promise<T>, client = ''): Promise<T> => {
    if (running === workers) await turn(client);
    else running += 1;
    const start = performance.now();
    try {
      return await task(lines.size);
    } finally {
      count(client, performance.now() - start);
      next();
    }
  };
}
