import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what nobody holds any more, at once: what a binary holds for an object in JavaScript does not count as memory.
 * It lets go of that on the next turn, which code that only awaits what is done never gives it.
 */
export async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc !== 'function') throw new Error('Nothing can be collected on request.');
  gc();
  await setImmediate();
}
