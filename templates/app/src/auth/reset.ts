import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { addressRange } from '../lib/address.ts';
import { queueEmail } from '../mail/outbox.ts';
import { holdCredentials, renewCredentials, type Credentials } from '../users/credentials.ts';
import { rememberAddress } from './known-addresses.ts';
import { wrongPassword } from './login.ts';
import { consumeToken, findToken } from './mailed-tokens.ts';

type Services = Pick<FastifyInstance, 'database' | 'hasher' | 'outbox' | 'rateLimits'>;

interface Reset {
  readonly token: string;
  readonly password: string;
  readonly address: string;
}

export async function resetPassword(
  { database, hasher, outbox, rateLimits }: Services,
  { token, password, address }: Reset,
): Promise<Credentials> {
  await findToken(database, 'reset_password', token);
  const hash = await hasher.hash(password);
  const user = await transaction(database, async (transacting) => {
    // Another request may have used it while the password was hashed.
    const found = await consumeToken(transacting, 'reset_password', token);
    await setPassword(transacting, found.user, { password: hash });
    const range = addressRange(address);
    await rememberAddress(transacting, { userId: found.user.id, range });
    return found.user;
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
  await queueEmail(database, {
    to: user.email,
    template: 'password_changed',
    payload: {},
    userId: user.id,
  });
}
