import { createHash } from 'node:crypto';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/client.ts';
import { tooMany } from '../lib/problem.ts';
import { addressRange } from '../lib/request.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly rateLimits: RateLimits;
    /** Hook that counts requests by the address they come from. */
    readonly limitRate: (rule: RuleName) => onRequestAsyncHookHandler;
  }
}

interface Rule {
  readonly limit: number;
  /** The window in which uses are counted. */
  readonly seconds: number;
  /** The wait after the last use of the limit, doubled by each one after it; else, until the window ends. */
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
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** A use is counted before the work is done, so that no number of parallel requests gets past a limit. */
export interface RateLimits {
  /** Throws 429 when the subject has to wait. */
  take(name: RuleName, subject: string): Promise<void>;
  /** The same for what is refused in silence: whether there was a use left. */
  tryTake(name: RuleName, subject: string): Promise<boolean>;
  /** Undoes a `take` whose work turned out not to count. */
  giveBack(name: RuleName, subject: string): Promise<void>;
  forget(name: RuleName, subject: string): Promise<void>;
}

export function addRateLimits(app: FastifyInstance): void {
  const limits = app.config.rateLimits ? databaseLimits(app.database) : noLimits;
  app.decorate('rateLimits', limits);
  app.decorate('limitRate', (name: RuleName) => async (request) => {
    await limits.take(name, addressRange(request.ip));
  });
  if (app.config.trustProxy.length === 0) reportUnknownProxy(app);
}

/** Behind a proxy that is not configured, all clients have one address and share its limits. */
function reportUnknownProxy(app: FastifyInstance): void {
  let isReported = false;
  app.addHook('onRequest', ({ headers, log, socket }, _reply, done) => {
    if (!isReported && (headers['x-forwarded-for'] ?? headers.forwarded)) {
      isReported = true;
      log.warn(
        { event: 'proxy_not_trusted' },
        `A request came with X-Forwarded-For, and TRUST_PROXY is not set: if ${socket.remoteAddress} is your proxy, set TRUST_PROXY to its address. Until then all clients behind it share one rate limit.`,
      );
    }
    done();
  });
}

const noLimits: RateLimits = {
  take: async () => {},
  tryTake: async () => true,
  giveBack: async () => {},
  forget: async () => {},
};

/** Counts in the database, where every process of this server sees them. */
function databaseLimits(database: Database): RateLimits {
  return {
    async take(name, subject) {
      const wait = await takeUse(database, keyOf(name, subject), rules[name]);
      if (wait > 0) throw tooMany(wait);
    },
    async tryTake(name, subject) {
      return (await takeUse(database, keyOf(name, subject), rules[name])) === 0;
    },
    async giveBack(name, subject) {
      await database
        .updateTable('auth_limits')
        .set(({ eb }) => ({ count: eb('count', '-', 1), free_at: 0 }))
        .where('key', '=', keyOf(name, subject))
        .where('count', '>', 0)
        .execute();
    },
    async forget(name, subject) {
      await database.deleteFrom('auth_limits').where('key', '=', keyOf(name, subject)).execute();
    },
  };
}

/** What the clocks of two replicas may differ by. */
const clockSkew = 60_000;

/**
 * The seconds to wait, 0 when the use is granted. One statement asks and counts, so parallel uses stand in line. Times
 * further ahead than any wait are from a clock that was set back since, and do not hold.
 */
async function takeUse(database: Database, key: string, rule: Rule): Promise<number> {
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

/** `first` seconds from now, twice as many for each use beyond the limit, at most `longest`. */
function doubled(
  { first, longest }: { readonly first: number; readonly longest: number },
  { now, excess }: { readonly now: number; readonly excess: RawBuilder<unknown> },
) {
  const steps = Math.ceil(Math.log2(longest / first));
  return sql`case when ${excess} >= ${steps} then ${ms(now + longest * 1000)} else ${ms(now)} + (${ms(first * 1000)} << (${excess})) end`;
}

/** PostgreSQL takes a number for one of 32 bits unless it is cast. */
function ms(milliseconds: number) {
  return sql<number>`cast(${milliseconds} as bigint)`;
}

function keyOf(name: RuleName, subject: string): string {
  return `${name}:${createHash('sha256').update(subject).digest('base64url')}`;
}
