import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { openRateLimits, type RateLimits, type RuleName } from '../auth/limits.ts';
import { addressRange } from '../lib/client-address.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly rateLimits: RateLimits;
    /** A hook that counts requests by the address they come from. */
    readonly limitRate: (rule: RuleName) => onRequestAsyncHookHandler;
  }
}

export function addRateLimits(app: FastifyInstance): void {
  const limits = openRateLimits(app.database, app.config);
  app.decorate('rateLimits', limits);
  app.decorate('limitRate', (name: RuleName) => async (request) => {
    await limits.take(name, addressRange(request.ip));
  });
}
