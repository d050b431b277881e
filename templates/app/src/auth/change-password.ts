import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { badRequest, type Problem } from '../lib/problem.ts';
import {
  findCredentials,
  renewCredentials,
  replaceHash,
  type Credentials,
} from '../users/credentials.ts';
import { enqueueMail } from './outbox.ts';
import { findResetToken, useResetToken } from './reset.ts';

type Services = Pick<FastifyInstance, 'database' | 'hasher' | 'outbox'>;

/** The user who may set a new password with this token. */
export async function findByResetToken(database: Database, token: string): Promise<Credentials> {
  const found = await findResetToken(database, token);
  const user = found && (await findCredentials(database, found.user_id));
  if (!user) throw invalidResetToken();
  return user;
}

export async function resetPassword(
  { database, hasher, outbox }: Services,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<Credentials> {
  const user = await findByResetToken(database, token);
  const hash = await hasher.hash(password);
  await transaction(database, async (transacting) => {
    // Another request may have used it while the password was hashed.
    if (!(await useResetToken(transacting, token))) throw invalidResetToken();
    await setPassword(transacting, { user, hash });
  });
  outbox.wake();
  return user;
}

/** The login that asks goes on. */
export async function changePassword(
  { database, hasher, outbox }: Services,
  user: Credentials,
  { password, session }: { readonly password: string; readonly session: string },
): Promise<void> {
  const hash = await hasher.hash(password);
  await transaction(database, (transacting) => setPassword(transacting, { user, hash, session }));
  outbox.wake();
}

interface NewPassword {
  readonly user: Credentials;
  readonly hash: string;
  readonly session?: string;
}

async function setPassword(
  database: Database,
  { user, hash, session }: NewPassword,
): Promise<void> {
  await replaceHash(database, { id: user.id, password: hash });
  await renewCredentials(database, user.id, session);
  await enqueueMail(database, {
    kind: 'password_changed',
    recipient: user.email,
    userId: user.id,
  });
}

function invalidResetToken(): Problem {
  return badRequest('invalid_reset_token', 'The token is unknown, expired or used.');
}
