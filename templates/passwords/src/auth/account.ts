import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { addressRange } from '../lib/client-address.ts';
import { readRow } from '../lib/rows.ts';
import { written } from '../lib/write.ts';
import { queueEmail } from '../mail/outbox.ts';
import { type Credentials, renewCredentials } from '../users/credentials.ts';
import { type UserId, users } from '../users/schema.ts';
import { rememberAddress, requireUnchanged } from './login.ts';
import { addFormerAddress, findToken, useToken } from './mailed-tokens.ts';

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
  const user = await transaction(database, async (open) => {
    const { user: found } = await useToken(open, 'reset_password', token);
    await setPassword(open, found, { password: hash });
    await rememberAddress(open, { userId: found.id, range: addressRange(address) });
    return found;
  });
  await rateLimits.forget('failed_login_as', user.email);
  outbox.wake();
  return user;
}

/** Ends all logins except that of the request. */
export async function changePassword(
  { database, hasher, outbox }: Services,
  user: Credentials,
  { password, session }: { readonly password: string; readonly session: string },
): Promise<void> {
  const hash = await hasher.hash(password);
  await transaction(database, async (open) => {
    await requireUnchanged(open, user);
    await setPassword(open, user, { password: hash, session });
  });
  outbox.wake();
}

async function setPassword(
  database: Database,
  user: Credentials,
  changed: { readonly password: string; readonly session?: string },
): Promise<void> {
  const { id: userId, email: to } = user;
  await renew(database, userId, changed);
  await queueEmail(database, { to, template: 'password_changed', payload: {}, userId });
}

/** A change that users make to their own account, reported to `afterWrite` like any other write. */
async function renew(
  open: Database,
  id: UserId,
  changed: Parameters<typeof renewCredentials>[2],
): Promise<void> {
  const before = await readRow(open, users, id);
  await renewCredentials(open, id, changed);
  await written(open, users, id, { operation: 'update', by: before, before });
}

/** Nothing changes until the new address is confirmed. The answer does not reveal whether an account has it already. */
export async function requestEmailChange(
  { database, outbox }: Services,
  user: Credentials,
  { email, session }: { readonly email: string; readonly session: string },
): Promise<void> {
  await transaction(database, async (open) => {
    await requireUnchanged(open, user);
    const { id: userId, email: to, token_version } = user;
    const confirmation = {
      template: 'confirm_email',
      payload: { token_version, session },
    } as const;
    const notice = { template: 'email_change_requested', payload: { email } } as const;
    await queueEmail(open, { to: email, userId, ...confirmation });
    await queueEmail(open, { to, userId, ...notice });
  });
  outbox.wake();
}

/** Not a hash, so no password matches it. */
const noPassword = '!';

/**
 * Gives an account the address that the token was mailed to. The former address is notified, and can take the change
 * back: whoever made a change that is taken back knew the password, so it stops working, and a link to choose another
 * one is mailed.
 */
export async function moveAccount(
  { database, outbox }: Services,
  kind: 'confirm_email' | 'revert_email',
  token: string,
): Promise<Credentials> {
  const isReverted = kind === 'revert_email';
  const user = await transaction(database, async (open) => {
    const { user: before, email, session } = await useToken(open, kind, token);
    const { id: userId, email: former } = before;
    const changed = { email, session, ...(isReverted && { password: noPassword }) };
    await renew(open, userId, changed);
    await addFormerAddress(open, before, email);
    const notice = { template: 'email_changed', payload: { email } } as const;
    await queueEmail(open, { to: former, userId, ...notice });
    const link = { template: 'email_reverted', payload: {} } as const;
    if (isReverted) await queueEmail(open, { to: email, userId, ...link });
    return before;
  });
  outbox.wake();
  return user;
}
