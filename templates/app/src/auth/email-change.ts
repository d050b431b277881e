import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { queueEmail } from '../mail/outbox.ts';
import { holdCredentials, renewCredentials, type Credentials } from '../users/credentials.ts';
import { wrongPassword } from './login.ts';
import { consumeToken, issueToken } from './mailed-tokens.ts';

type Services = Pick<FastifyInstance, 'database' | 'outbox'>;

/** No hash, so no password fits. */
const noPassword = '!';

/** Nothing changes until the new address is confirmed. The answer says nothing of who has it already. */
export async function requestEmailChange(
  { database, outbox }: Services,
  user: Credentials,
  { email, session }: { readonly email: string; readonly session: string },
): Promise<void> {
  await transaction(database, async (transacting) => {
    if (!(await holdCredentials(transacting, user))) throw wrongPassword();
    const { id: userId, token_version } = user;
    await queueEmail(transacting, {
      to: email,
      template: 'confirm_email',
      userId,
      payload: { token_version, session },
    });
    await queueEmail(transacting, {
      to: user.email,
      template: 'email_change_requested',
      userId,
      payload: { email },
    });
  });
  outbox.wake();
}

/** Sets the address that the token was mailed to; the former one is notified, and can take the change back. */
export async function confirmEmail(
  { database, outbox }: Services,
  token: string,
): Promise<Credentials> {
  const user = await transaction(database, async (transacting) => {
    const found = await consumeToken(transacting, 'confirm_email', token);
    const { user: before, email } = found;
    await renewCredentials(transacting, before.id, { email, session: found.session });
    // Nobody has this token: it holds the address until the one that is mailed does.
    await issueRevertToken(transacting, before);
    await queueEmail(transacting, {
      to: before.email,
      template: 'email_changed',
      payload: { email },
      userId: before.id,
    });
    return before;
  });
  outbox.wake();
  return user;
}

/** Whoever changed the address knew the password, so that no longer opens anything: a link to choose one is mailed. */
export async function revertEmail(
  { database, outbox }: Services,
  token: string,
): Promise<Credentials> {
  const user = await transaction(database, async (transacting) => {
    const { user: before, email } = await consumeToken(transacting, 'revert_email', token);
    await renewCredentials(transacting, before.id, { email, password: noPassword });
    await queueEmail(transacting, {
      to: email,
      template: 'email_reverted',
      payload: {},
      userId: before.id,
    });
    return before;
  });
  outbox.wake();
  return user;
}

/** Takes the change of an address back, for a week. */
export function issueRevertToken(database: Database, user: Credentials): Promise<string> {
  return issueToken(database, {
    kind: 'revert_email',
    user,
    email: user.email,
    seconds: 7 * 86_400,
  });
}

/** Whether the change of this address can still be taken back: until then nobody else may register it. */
export async function isHeldForRevert(database: Database, email: string): Promise<boolean> {
  const held = await database
    .selectFrom('auth_mailed_tokens')
    .select('user_id')
    .where('email', '=', email)
    .where('kind', '=', 'revert_email')
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return held !== undefined;
}
