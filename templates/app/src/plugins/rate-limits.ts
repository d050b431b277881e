import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { Problem } from '../lib/problem.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly rateLimits: RateLimits;
    /** Hook that counts requests by the address they come from. */
    readonly limitRate: (rule: RuleName) => onRequestAsyncHookHandler;
  }
}

interface Rule {
  readonly limit: number;
  readonly seconds: number;
  /** How long a subject waits after its `count`-th use, when not until the window ends. */
  readonly wait?: (count: number) => number;
}

const rules = {
  register: { limit: 60, seconds: 60 },
  refresh: { limit: 300, seconds: 300 },
  forgot_password: { limit: 30, seconds: 300 },
  mailbox: { limit: 1, seconds: 60 },
  failed_login_from: { limit: 100, seconds: 900 },
  failed_login_as: {
    limit: 10,
    seconds: 86_400,
    wait: (count) => Math.min(2 ** (count - 10), 900),
  },
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

export interface RateLimits {
  /** Throws 429 while the subject has to wait. */
  check(name: RuleName, subject: string): Promise<void>;
  /** How often the subject did it in this window. */
  count(name: RuleName, subject: string): Promise<number>;
  forget(name: RuleName, subject: string): Promise<void>;
}

export function addRateLimits(app: FastifyInstance): void {
  const limits = app.config.rateLimits ? databaseLimits(app.database) : noLimits;
  app.decorate('rateLimits', limits);
  app.decorate('limitRate', (name: RuleName) => async (request) => {
    const subject = addressRange(request.ip);
    await limits.check(name, subject);
    const count = await limits.count(name, subject);
    // Requests that came at the same time all passed the check.
    if (count > rules[name].limit) throw tooMany(rules[name].seconds);
  });
}

const noLimits: RateLimits = {
  check: async () => {},
  count: async () => 0,
  forget: async () => {},
};

/** Counts in the database, where every process of this server sees them. */
function databaseLimits(database: Database): RateLimits {
  return {
    async check(name, subject) {
      const row = await database
        .selectFrom('auth_rate_limits')
        .select('blocked_until')
        .where('key', '=', keyOf(name, subject))
        .executeTakeFirst();
      const wait = Date.parse(row?.blocked_until ?? '') - Date.now();
      if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
    },

    async count(name, subject) {
      const { limit, seconds, wait }: Rule = rules[name];
      const key = keyOf(name, subject);
      const { count, window_started_at: start } = await countUse(database, key, seconds);
      if (count >= limit) {
        const end = wait ? Date.now() + wait(count) * 1000 : Date.parse(start) + seconds * 1000;
        await database
          .updateTable('auth_rate_limits')
          .set({ blocked_until: new Date(end).toISOString() })
          .where('key', '=', key)
          .execute();
      }
      return count;
    },

    async forget(name, subject) {
      await database
        .deleteFrom('auth_rate_limits')
        .where('key', '=', keyOf(name, subject))
        .execute();
    },
  };
}

/** One statement, so that no two uses count as one. */
async function countUse(database: Database, key: string, seconds: number) {
  const now = new Date();
  const oldest = new Date(now.getTime() - seconds * 1000).toISOString();
  const isRunning = sql<boolean>`auth_rate_limits.window_started_at > ${oldest}`;
  return database
    .insertInto('auth_rate_limits')
    .values({ key, count: 1, window_started_at: now.toISOString() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${isRunning} then auth_rate_limits.count + 1 else 1 end`,
        window_started_at: sql`case when ${isRunning} then auth_rate_limits.window_started_at else excluded.window_started_at end`,
      }),
    )
    .returning(['count', 'window_started_at'])
    .executeTakeFirstOrThrow();
}

function keyOf(name: RuleName, subject: string): string {
  return `${name}:${createHash('sha256').update(subject).digest('base64url')}`;
}

function tooMany(seconds: number): Problem {
  return new Problem(429, 'too_many_requests', `Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** A network gets a whole /64 of IPv6 addresses at no cost, so they count as one. */
export function addressRange(address: string): string {
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (embedded?.[1] !== undefined) return embedded[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
