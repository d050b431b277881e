import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting {
  /** Milliseconds. */
  readonly patience: number;
  /** Is called every few seconds, with how long it has been. */
  tell(seconds: number): void | Promise<void>;
}

const [firstTelling, nextTelling] = [1000, 5000];

/** Tries until it works, and answers whether it did; the rest of this process goes on meanwhile. */
export async function waitFor(
  attempt: () => boolean | Promise<boolean>,
  { patience, tell }: Waiting,
): Promise<boolean> {
  const start = performance.now();
  let telling = firstTelling;
  while (!(await attempt())) {
    const waited = performance.now() - start;
    if (waited > patience) return false;
    if (waited > telling) {
      await tell(Math.round(waited / 1000));
      telling = waited + nextTelling;
    }
    await sleep(20 + Math.random() * 80);
  }
  return true;
}
