import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting {
  /** Milliseconds. */
  readonly timeout: number;
  /** Called every few seconds with the time that has passed. */
  onWait(seconds: number): void | Promise<void>;
}

const [firstNotice, nextNotice] = [1000, 5000];

/** Tries until it succeeds or the time is up. Returns whether it did. Does not block the process. */
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
