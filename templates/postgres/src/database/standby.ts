import type { Pool } from 'pg';
import { Busy, violation } from './errors.ts';
import { isOverTime } from './postgres-driver.ts';
import type { RunStatement } from './reading.ts';

interface Server {
  readonly pool: Pool;
  readonly run: RunStatement;
}

/** How old a read may be, and how often the standby is checked while there are reads. */
const [oldestMs, everyMs] = [5000, 1000];
const never = Number.NEGATIVE_INFINITY;

/**
 * Reads from a standby while it keeps up, else from the primary. It keeps up if it has replayed what the primary had
 * written a moment ago, which takes no special rights and no synchronised clocks to find out.
 */
export function readFromStandby(primary: Server, standby: Server): RunStatement {
  let mark = { at: never, position: '0/0' };
  /** The standby has everything that was written by then. */
  let knownAt = never;
  let nextLookAt = 0;
  const keepsUp = () => performance.now() - knownAt < oldestMs;

  const look = async () => {
    nextLookAt = Number.POSITIVE_INFINITY;
    const has = 'select from (select 1) as it where pg_last_wal_replay_lsn() >= $1';
    const { rowCount } = await standby.pool.query(has, [mark.position]);
    if (rowCount === 0) return;
    knownAt = mark.at;
    const at = performance.now();
    const { rows } = await primary.pool.query('select pg_current_wal_lsn() as position');
    mark = { at, position: String(rows[0]?.position) };
  };

  return async (query) => {
    if (performance.now() > nextLookAt) {
      // If one does not answer, what is known of the standby expires.
      const planNext = () => (nextLookAt = performance.now() + everyMs);
      void look().then(planNext, planNext);
    }
    if (!keepsUp()) return primary.run(query);
    try {
      return await standby.run(query);
    } catch (error) {
      // It has used up its time, and does not get as much again from the primary, unless the standby is away.
      if (knownAt !== never && (error instanceof Busy || isOverTime(error))) throw error;
      if (violation(error)?.kind === 'unavailable') knownAt = never;
      return primary.run(query);
    }
  };
}
