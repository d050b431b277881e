import type { Pool } from 'pg';
import { Busy, violation } from './errors.ts';
import { isOverTime } from './postgres-driver.ts';
import type { RunStatement } from './reading.ts';

interface Server {
  readonly pool: Pool;
  readonly run: RunStatement;
}

/** How old what is read may be, and how often that is found out while somebody reads. */
const [oldestMs, everyMs] = [5000, 1000];
const never = Number.NEGATIVE_INFINITY;

/**
 * Reads from a standby while it keeps up, and else from the primary. It keeps up when it has replayed what the primary
 * had written a moment ago: to know that takes no rights, and no clocks that agree.
 */
export function readFromStandby(primary: Server, standby: Server): RunStatement {
  let mark = { at: never, position: '0/0' };
  /** What was written by then, the standby has. */
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
      // Where nobody answers, nothing new is known, and what is known grows old.
      const planNext = () => (nextLookAt = performance.now() + everyMs);
      void look().then(planNext, planNext);
    }
    if (!keepsUp()) return primary.run(query);
    try {
      return await standby.run(query);
    } catch (error) {
      // It has had its time: the primary is not to give it as much again, unless the standby is away.
      if (knownAt !== never && (error instanceof Busy || isOverTime(error))) throw error;
      if (violation(error)?.kind === 'unavailable') knownAt = never;
      return primary.run(query);
    }
  };
}
