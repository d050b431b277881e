import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { addressRange } from '../lib/address.ts';
import { badRequest, type Problem } from '../lib/problem.ts';
import {
  findCredentials,
  holdCredentials,
  renewCredentials,
  type Credentials,
} from '../users/credentials.ts';
import type { UserId } from '../users/schema.ts';
import { rememberAddress } from './known-addresses.ts';
import { wrongPassword } from './login.ts';
import { queueEmail } from './outbox.ts';

type Services = Pick<FastifyInstance, 'database' | 'hasher' | 'outbox' | 'rateLimits'>;

/** The user who may set a new password with this token. */
export async function findByResetToken(database: Database, token: string): Promise<Credentials> {
  const found = await findResetToken(database, token);
  const user = found && (await findCredentials(database, found.user_id));
  if (!user) throw invalidResetToken();
  return user;
}

interface Reset {
  readonly token: string;
  readonly password: string;
  readonly address: string;
}

export async function resetPassword(
  { database, hasher, outbox, rateLimits }: Services,
  { token, password, address }: Reset,
): Promise<Credentials> {
  const user = await findByResetToken(database, token);
  const hash = await hasher.hash(password);
  await transaction(database, async (transacting) => {
    // Another request may have used it while the password was hashed.
    if (!(await consumeResetToken(transacting, token))) throw invalidResetToken();
    await setPassword(transacting, user, { password: hash });
    await rememberAddress(transacting, { userId: user.id, range: addressRange(address) });
  });
  await rateLimits.forget('failed_login_as', user.email);
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
  await transaction(database, async (transacting) => {
    if (!(await holdCredentials(transacting, user))) throw wrongPassword();
    await setPassword(transacting, user, { password: hash, session });
  });
  outbox.wake();
}

async function setPassword(
  database: Database,
  user: Credentials,
  changed: { readonly password: string; readonly session?: string },
): Promise<void> {
  await renewCredentials(database, user.id, changed);
  await queueEmail(database, { to: user.email, template: 'password_changed', userId: user.id });
}

/** A token of 256 bits. Only its hash is kept, and only the newest one of a user is good. */
export async function issueResetToken(
  database: Database,
  userId: UserId,
  lifetimeSeconds: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = Date.now();
  const row = {
    token_hash: hashOf(token),
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + lifetimeSeconds * 1000).toISOString(),
    used_at: null,
  };
  await database
    .insertInto('auth_reset_tokens')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
  return token;
}

/** Whose token it is, while it is good. */
async function findResetToken(database: Database, token: string) {
  return database
    .selectFrom('auth_reset_tokens')
    .select('user_id')
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
}

/** The same, and uses it up: one of any number of callers gets an answer. */
async function consumeResetToken(database: Database, token: string) {
  const now = new Date().toISOString();
  return database
    .updateTable('auth_reset_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function invalidResetToken(): Problem {
  return badRequest('invalid_reset_token', 'The token is unknown, expired or used.');
}
