import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import { Problem } from '../lib/problem.ts';

interface RateRule {
  readonly limit: number;
  readonly seconds: number;
}

const rules = {
  refresh: { limit: 300, seconds: 300 },
} satisfies Readonly<Record<string, RateRule>>;

export type RuleName = keyof typeof rules;

export type RateLimits = ReturnType<typeof openRateLimits>;

/**
 * Counts uses in the database, where every process of this server sees them, before the work is done, so that no number
 * of parallel requests gets past a limit.
 */
export function openRateLimits(database: Database, { rateLimits }: Pick<Config, 'rateLimits'>) {
  const waitFor = async (name: RuleName, subject: string) =>
    rateLimits ? takeUse(database, limitKey(name, subject), rules[name]) : 0;
  return {
    /** Throws 429 when the subject has to wait. */
    async take(name: RuleName, subject: string): Promise<void> {
      const wait = await waitFor(name, subject);
      if (wait === 0) return;
      const headers = { 'retry-after': String(wait) };
      throw new Problem(429, 'too_many_requests', `Try again in ${wait} seconds.`, { headers });
    },
  };
}

/** How far apart the clocks of two processes may be. */
const clockSkew = 60_000;

/**
 * The seconds to wait; 0 when the use is granted. One statement checks and counts, so parallel uses queue up. Times
 * further ahead than any wait come from a clock that has been set back since, and are ignored.
 */
async function takeUse(database: Database, key: string, rule: RateRule): Promise<number> {
  const { limit, seconds } = rule;
  const now = Date.now();
  const window = seconds * 1000;
  const isRunning = sql<boolean>`(auth_limits.started_at > ${ms(now - window)} and auth_limits.started_at <= ${ms(now + clockSkew)})`;
  const count = sql<number>`case when ${isRunning} then auth_limits.count + 1 else 1 end`;
  const start = sql<number>`case when ${isRunning} then auth_limits.started_at else ${ms(now)} end`;
  const end = sql`${start} + ${ms(window)}`;

  const granted = await database
    .insertInto('auth_limits')
    .values({ key, count: 1, started_at: now, free_at: limit > 1 ? 0 : now + window })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count,
          started_at: start,
          free_at: sql`case when ${count} < ${limit} then 0 else ${end} end`,
        })
        .where(
          sql<boolean>`auth_limits.free_at <= ${ms(now)} or auth_limits.free_at > ${ms(now + window + clockSkew)} or not ${isRunning}`,
        ),
    )
    .returning('count')
    .executeTakeFirst();
  if (granted) return 0;

  const row = await database
    .selectFrom('auth_limits')
    .select('free_at')
    .where('key', '=', key)
    .executeTakeFirst();
  const left = Math.min((row?.free_at ?? now) - now, window);
  return Math.max(1, Math.ceil(left / 1000));
}

/** A parameter has no type of its own: the cast gives it 64 bits. */
function ms(milliseconds: number) {
  return sql<number>`cast(${milliseconds} as bigint)`;
}

function limitKey(name: RuleName, subject: string): string {
  return `${name}:${hash('sha256', subject, 'base64url')}`;
}
