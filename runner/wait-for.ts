import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting {
  /** Milliseconds. */
  readonly timeout: number;
  /** Is called every few seconds, with how long it has been. */
  onWait(seconds: number): void | Promise<void>;
}

const [firstNotice, nextNotice] = [1000, 5000];

/** Tries until it works, and answers whether it did; the rest of this process goes on meanwhile. */
export async function waitFor(
  attempt: () => boolean | Promise<boolean>,
  { timeout, onWait }: Waiting,
): Promise<boolean> {
  const start = performance.now();
  let notice = firstNotice;
  while (!(await attempt())) {
    const waited = performance.now() - start;
    if (waited > timeout) return false;
    if (waited > notice) {
      await onWait(Math.round(waited / 1000));
      notice = waited + nextNotice;
    }
    await sleep(20 + Math.random() * 80);
  }
  return true;
}
