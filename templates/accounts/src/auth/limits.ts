import { hash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import { Problem } from '../lib/problem.ts';

interface RateRule {
  readonly limit: number;
  readonly seconds: number;
  /** The wait after the limit is reached, doubled with each further use. By default, the rest of the window. */
  readonly wait?: { readonly first: number; readonly longest: number };
}

const rules = {
  register: { limit: 60, seconds: 60 },
  refresh: { limit: 300, seconds: 300 },
  forgot_password: { limit: 30, seconds: 300 },
  mailbox: { limit: 1, seconds: 60 },
  mailbox_hourly: { limit: 5, seconds: 3600 },
  change_email: { limit: 5, seconds: 3600 },
  change_email_from: { limit: 30, seconds: 3600 },
  change_email_to: { limit: 5, seconds: 3600 },
  failed_login_from: { limit: 100, seconds: 900 },
  failed_login_as: { limit: 10, seconds: 86_400, wait: { first: 30, longest: 900 } },
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
    /** As `take`, but returns false instead of throwing. */
    async tryTake(name: RuleName, subject: string): Promise<boolean> {
      return (await waitFor(name, subject)) === 0;
    },
    async giveBack(name: RuleName, subject: string): Promise<void> {
      await database
        .updateTable('auth_limits')
        .set(({ eb }) => ({ count: eb('count', '-', 1), free_at: 0 }))
        .where('key', '=', limitKey(name, subject))
        .where('count', '>', 0)
        .execute();
    },
    async forget(name: RuleName, subject: string): Promise<void> {
      await database.deleteFrom('auth_limits').where('key', '=', limitKey(name, subject)).execute();
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
  const { limit, seconds, wait } = rule;
  const now = Date.now();
  const [window, longest] = [seconds * 1000, (wait?.longest ?? seconds) * 1000];
  const isRunning = sql<boolean>`(auth_limits.started_at > ${ms(now - window)} and auth_limits.started_at <= ${ms(now + clockSkew)})`;
  const count = sql<number>`case when ${isRunning} then auth_limits.count + 1 else 1 end`;
  const start = sql<number>`case when ${isRunning} then auth_limits.started_at else ${ms(now)} end`;
  const end = wait
    ? doubled(wait, { now, excess: sql`${count} - ${limit}` })
    : sql`${start} + ${ms(window)}`;

  const granted = await database
    .insertInto('auth_limits')
    .values({ key, count: 1, started_at: now, free_at: limit > 1 ? 0 : now + longest })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count,
          started_at: start,
          free_at: sql`case when ${count} < ${limit} then 0 else ${end} end`,
        })
        .where(
          sql<boolean>`auth_limits.free_at <= ${ms(now)} or auth_limits.free_at > ${ms(now + longest + clockSkew)} or not ${isRunning}`,
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
  const left = Math.min((row?.free_at ?? now) - now, longest);
  return Math.max(1, Math.ceil(left / 1000));
}

/** In `first` seconds, doubled for each use beyond the limit, at most `longest`. */
function doubled(
  { first, longest }: { readonly first: number; readonly longest: number },
  { now, excess }: { readonly now: number; readonly excess: RawBuilder<unknown> },
) {
  const steps = Math.ceil(Math.log2(longest / first));
  return sql`case when ${excess} >= ${steps} then ${ms(now + longest * 1000)} else ${ms(now)} + (${ms(first * 1000)} << (${excess})) end`;
}

/** A parameter has no type of its own: the cast gives it 64 bits. */
function ms(milliseconds: number) {
  return sql<number>`cast(${milliseconds} as bigint)`;
}

function limitKey(name: RuleName, subject: string): string {
  return `${name}:${hash('sha256', subject, 'base64url')}`;
}
