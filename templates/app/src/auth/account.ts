import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { badRequest, type Problem } from '../lib/problem.ts';
import { addressRange } from '../lib/request.ts';
import { queueEmail } from '../mail/outbox.ts';
import {
  type Credentials,
  findCredentials,
  holdCredentials,
  renewCredentials,
} from '../users/credentials.ts';
import { rememberAddress, wrongPassword } from './login.ts';

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

/** What each kind is called when it is not good. */
const codes = {
  reset_password: 'invalid_reset_token',
  confirm_email: 'invalid_email_token',
  revert_email: 'invalid_email_token',
} as const;

type Kind = keyof typeof codes;

interface Issue {
  readonly kind: Kind;
  readonly user: Credentials;
  /** The address that it was mailed to. */
  readonly email: string;
  readonly seconds: number;
  /** The login that goes on after it was used. */
  readonly session?: string;
}

/** A token of 256 bits, of which only the hash is kept. */
export async function issueToken(database: Database, issue: Issue): Promise<string> {
  const { kind, user, email, seconds, session = null } = issue;
  const token = randomBytes(32).toString('base64url');
  if (kind !== 'revert_email') {
    const older = database.deleteFrom('auth_mailed_tokens').where('user_id', '=', user.id);
    await older.where('kind', '=', kind).execute();
  }
  await database
    .insertInto('auth_mailed_tokens')
    .values({
      token_hash: hashOf(token),
      kind,
      user_id: user.id,
      token_version: user.token_version,
      email,
      session_id: session,
      expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
    })
    .execute();
  return token;
}

/** A token while it is good, and whose it is: 400 otherwise. */
export async function findToken(database: Database, kind: Kind, token: string) {
  const found = await database
    .selectFrom('auth_mailed_tokens')
    .select(['user_id', 'token_version', 'email', 'session_id'])
    .where('token_hash', '=', hashOf(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  const user = found && (await findCredentials(database, found.user_id));
  // A new password or address makes the others void, but never the way back from it.
  const isCurrent = kind === 'revert_email' || found?.token_version === user?.token_version;
  if (!user || !isCurrent) throw invalidToken(kind);
  return { user, email: found.email, session: found.session_id ?? '' };
}

/** The same, and uses it up: one of any number of callers gets an answer. */
async function consumeToken(database: Database, kind: Kind, token: string) {
  const found = await findToken(database, kind, token);
  const isHeld = kind === 'revert_email' || (await holdCredentials(database, found.user));
  const used = await database
    .deleteFrom('auth_mailed_tokens')
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!isHeld || used.numDeletedRows === 0n) throw invalidToken(kind);
  return found;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function invalidToken(kind: Kind): Problem {
  return badRequest(codes[kind], 'The token is unknown, expired or used.');
}
