import { availableParallelism } from 'node:os';
import { genSaltSync, hash, parseOptions, verify } from '@node-rs/bcrypt';
import type { Config } from '../config.ts';
import { queue } from '../database/queue.ts';
import { isAcceptablePassword } from '../lib/types.ts';

export type Hasher = ReturnType<typeof openHasher>;

/** The most that the setting allows, so that one costly imported hash does not slow down every login. */
const maxSetting = 15;

/** `findHighestCost` finds hashes that were made when the setting was higher. */
export function openHasher(
  { bcryptCost: cost }: Pick<Config['auth'], 'bcryptCost'>,
  findHighestCost = async () => cost,
) {
  const inTurn = queue({ workers: freeThreads(), maxWaiting: 128, maxMilliseconds: 15_000 });
  let highest: Promise<number> | undefined;

  /** The cost of every answer, whichever hash is checked. */
  const highestCost = async () => {
    highest ??= findHighestCost().catch((error: unknown) => {
      highest = undefined;
      throw error;
    });
    return Math.max(cost, Math.min(await highest, maxSetting));
  };

  return {
    hash: (password: string) => inTurn(() => hash(password, { cost, rejectLongPasswords: true })),
    /** False if there is no hash, or an unreadable one, after as much time as for a wrong password. */
    async verify(password: string, stored: string | undefined, client?: string): Promise<boolean> {
      const full = await highestCost();
      const isPossible =
        stored !== undefined && isHash(stored) && isAcceptablePassword(password, 0);
      const used = isPossible ? parseOptions(stored).cost : full;
      if (used > full) highest = Promise.resolve(used);
      return inTurn(async () => {
        const isSame = await verify(password, isPossible ? stored : decoy(full));
        // Rounds of 2^used, then 2^used, 2^(used+1), … 2^(full-1) add up to 2^full.
        for (let rest = used; rest < full; rest += 1) await verify(password, decoy(rest));
        return isPossible && isSame;
      }, client);
    },
    /** Whether the cost was changed since the hash was made. */
    isOutdated: (stored: string) => parseOptions(stored).cost !== cost,
  };
}

/** Takes as long as a real hash and belongs to no password. */
function decoy(cost: number): string {
  return genSaltSync({ cost }) + '.'.repeat(31);
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
