import type { FastifyRequest } from 'fastify';
import type { User } from '../users/schema.ts';
import { unauthorized } from './problem.ts';

/** For handlers behind `app.authenticate`. */
export function currentUser({ user }: FastifyRequest): User {
  if (user === null) throw unauthorized();
  return user;
}
