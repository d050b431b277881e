import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { badRequest, type Problem } from '../lib/problem.ts';
import {
  findCredentials,
  holdCredentials,
  renewCredentials,
  type Credentials,
} from '../users/credentials.ts';
import type { UserId } from '../users/schema.ts';
import { wrongPassword } from './login.ts';
import { queueEmail } from './outbox.ts';

type Services = Pick<FastifyInstance, 'database' | 'hasher' | 'outbox'>;

interface EmailToken {
  readonly kind: 'confirm' | 'revert';
  readonly userId: UserId;
  /** The address that the token sets. */
  readonly email: string;
  /** Of the user as it is issued: after another change of credentials it confirms nothing. */
  readonly tokenVersion: number;
  /** The login that goes on afterwards. */
  readonly session?: string;
}

const day = 24 * 3_600_000;

/** For how long a new address can be confirmed, and then be taken back from the old one. */
const lifetimes = { confirm: day, revert: 7 * day } as const;

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

/** A token of 256 bits, of which only the hash is kept. */
export async function issueEmailToken(database: Database, issued: EmailToken): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await database
    .insertInto('auth_email_tokens')
    .values({
      token_hash: hashOf(token),
      kind: issued.kind,
      user_id: issued.userId,
      email: issued.email,
      token_version: issued.tokenVersion,
      session_id: issued.session ?? null,
      expires_at: new Date(Date.now() + lifetimes[issued.kind]).toISOString(),
    })
    .execute();
  return token;
}

/** Sets the address that the token was mailed to; the former one is told, and can take the change back. */
export async function confirmEmail(
  { database, outbox }: Services,
  token: string,
): Promise<Credentials> {
  const user = await transaction(database, async (transacting) => {
    const { email, session_id, ...found } = await consumeToken(transacting, token, 'confirm');
    const before = await findCredentials(transacting, found.user_id);
    const isCurrent = await holdCredentials(transacting, { ...found, id: found.user_id });
    if (!before || !isCurrent) throw invalidToken();
    await renewCredentials(transacting, before.id, { email, session: session_id ?? '' });
    // Nobody has this token: it holds the address until the one that is mailed does.
    await issueEmailToken(transacting, {
      kind: 'revert',
      userId: before.id,
      email: before.email,
      tokenVersion: before.token_version,
    });
    await queueEmail(transacting, {
      to: before.email,
      template: 'email_changed',
      userId: before.id,
      payload: { email },
    });
    return before;
  });
  outbox.wake();
  return user;
}

/** Whoever changed the address knew the password, so that no longer opens anything: a link to choose one is mailed. */
export async function revertEmail(
  { database, hasher, outbox }: Services,
  token: string,
): Promise<Credentials> {
  const password = await hasher.hash(randomBytes(32).toString('base64url'));
  const user = await transaction(database, async (transacting) => {
    const { email, user_id } = await consumeToken(transacting, token, 'revert');
    const before = await findCredentials(transacting, user_id);
    if (!before) throw invalidToken();
    await renewCredentials(transacting, before.id, { email, password });
    await queueEmail(transacting, { to: email, template: 'email_reverted', userId: before.id });
    return before;
  });
  outbox.wake();
  return user;
}

/** Whether the change of this address can still be taken back: until then nobody else may register it. */
export async function isHeldForRevert(database: Database, email: string): Promise<boolean> {
  const held = await database
    .selectFrom('auth_email_tokens')
    .select('user_id')
    .where('email', '=', email)
    .where('kind', '=', 'revert')
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return held !== undefined;
}

async function consumeToken(database: Database, token: string, kind: EmailToken['kind']) {
  const found = await database
    .deleteFrom('auth_email_tokens')
    .where('token_hash', '=', hashOf(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', new Date().toISOString())
    .returning(['user_id', 'email', 'token_version', 'session_id'])
    .executeTakeFirst();
  if (!found) throw invalidToken();
  return found;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function invalidToken(): Problem {
  return badRequest('invalid_email_token', 'The token is unknown, expired or used.');
}
