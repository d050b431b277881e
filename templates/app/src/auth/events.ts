import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { withoutPort } from '../lib/address.ts';

/** From here on, the lines that this request logs say where it comes from. */
export function logAddress(request: FastifyRequest): void {
  request.log = request.log.child({ ip: withoutPort(request.ip) });
}

/** …and whose account it is about: the same hash for the same address, which says nothing to a reader of the log. */
export function logAccount(request: FastifyRequest, email: string): void {
  const { secretKey } = request.server.config.auth;
  const account = createHmac('sha256', secretKey).update(`account ${email}`).digest('base64url');
  request.log = request.log.child({ account: account.slice(0, 16) });
}
