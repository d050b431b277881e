import { availableParallelism } from 'node:os';
import { genSaltSync, hash, parseOptions, verify } from '@node-rs/bcrypt';
import { Type } from 'typebox';
import type { AuthConfig } from '../config.ts';
import { isText } from '../database/values.ts';
import { unavailable } from '../lib/problem.ts';

/** bcrypt reads no further, so what is longer is refused rather than cut. */
const maxBytes = 72;

/** A new password. How long it must be is a setting: `plugins/validation.ts`. */
export const Password = Type.String({
  format: 'password',
  description: `At least 8 characters, at most ${maxBytes} bytes.`,
});

export function isAcceptablePassword(password: string, minLength: number): boolean {
  return (
    [...password].length >= minLength && Buffer.byteLength(password) <= maxBytes && isText(password)
  );
}

export interface Hasher {
  hash(password: string): Promise<string>;
  /** False, and as late as for a wrong password, when there is no hash or none that can be read. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
  /** Whether the cost was raised since the hash was made. */
  isOutdated(stored: string): boolean;
}

export function openHasher({ bcryptCost: cost }: Pick<AuthConfig, 'bcryptCost'>): Hasher {
  const inTurn = queue({ workers: freeThreads(), maxWaiting: 128 });
  // Takes as long as a real one and belongs to no password.
  const decoy = genSaltSync({ cost }) + '.'.repeat(31);
  return {
    hash: (password) => inTurn(() => hash(password, { cost, rejectLongPasswords: true })),
    async verify(password, stored) {
      const isPossible =
        stored !== undefined && isHash(stored) && isAcceptablePassword(password, 0);
      const isSame = await inTurn(() => verify(password, isPossible ? stored : decoy));
      return isPossible && isSame;
    },
    isOutdated: (stored) => parseOptions(stored).cost < cost,
  };
}

function isHash(stored: string): boolean {
  return /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(stored);
}

/**
 * Hashes run in the thread pool of Node, which files and name look-ups need as well: one thread is left to them.
 * `UV_THREADPOOL_SIZE` makes the pool larger.
 */
function freeThreads(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  return Math.max(1, Math.min(availableParallelism(), threads - 1));
}

interface QueueOptions {
  readonly workers: number;
  readonly maxWaiting: number;
}

/** Runs so many tasks at a time; refuses more than can wait. */
function queue({ workers, maxWaiting }: QueueOptions) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running === workers) {
      if (waiting.length === maxWaiting) throw unavailable();
      await new Promise<void>((start) => waiting.push(start));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
