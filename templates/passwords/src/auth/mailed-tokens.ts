import { hash, randomBytes } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../database/client.ts';
import type { Tables } from '../database/tables.ts';
import { isoTime } from '../database/values.ts';
import { badRequest, type Problem } from '../lib/problem.ts';
import { type Credentials, findCredentials, lockCredentials } from '../users/credentials.ts';
import type { UserId } from '../users/schema.ts';

/** The code of the problem when a token of this kind is not valid. */
const codes = {
  reset_password: 'invalid_reset_token',
  confirm_email: 'invalid_email_token',
  revert_email: 'invalid_email_token',
} as const;

type Kind = keyof typeof codes;

interface Issue {
  readonly kind: Kind;
  readonly user: Credentials;
  /** The address that it is mailed to. */
  readonly email: string;
  readonly seconds: number;
  /** The login that is kept when the token is used. */
  readonly session?: string;
}

/** Makes a token. It is the only valid one of its kind for this user: older ones become void. */
export async function issueToken(database: Database, issue: Issue): Promise<string> {
  await database
    .deleteFrom('auth_mailed_tokens')
    .where('user_id', '=', issue.user.id)
    .where('kind', '=', issue.kind)
    .execute();
  return insertToken(database, issue);
}

/** Only the hash of a token is stored. */
async function insertToken(
  database: Database,
  { kind, user, email, seconds, session }: Issue,
): Promise<string> {
  const token = newToken();
  await database
    .insertInto('auth_mailed_tokens')
    .values({
      token_hash: hashOf(token),
      kind,
      user_id: user.id,
      token_version: user.token_version,
      email,
      session_id: session ?? null,
      expires_at: isoTime(Date.now() + seconds * 1000),
    })
    .execute();
  return token;
}

/** The data of a valid token, and its user. Throws 400 if it is not valid. */
export async function findToken(database: Database, kind: Kind, token: string) {
  const found = await database
    .selectFrom('auth_mailed_tokens')
    .select(['user_id', 'token_version', 'email', 'session_id'])
    .where('token_hash', '=', hashOf(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', isoTime())
    .executeTakeFirst();
  const user = found && (await findCredentials(database, found.user_id));
  // A new password or address makes other tokens void, but never the one that takes it back.
  const isCurrent = kind === 'revert_email' || found?.token_version === user?.token_version;
  if (!user || !isCurrent) throw invalidToken(kind);
  return { user, email: found.email, session: found.session_id ?? '' };
}

/** Finds a token and locks its user. The caller then makes the token void, so only one request gets this far. */
export async function useToken(database: Database, kind: Kind, token: string) {
  const { user } = await findToken(database, kind, token);
  await lockCredentials(database, user.id);
  // Another request may have used it before this one had the lock.
  return findToken(database, kind, token);
}

/**
 * The former addresses of the last week are a chain, in the order of their versions: each has a link that takes the
 * account back. The current address is never among them: when the account returns to one, its link ends and with it
 * those of all addresses that came later. So whoever had the account first has the last word.
 */
export async function addFormerAddress(
  database: Database,
  before: Credentials,
  email: string,
): Promise<void> {
  const ended = await database
    .deleteFrom('auth_mailed_tokens')
    .where(isLinkBack)
    .where('user_id', '=', before.id)
    .where('token_version', '>=', ({ selectFrom }) =>
      selectFrom('auth_mailed_tokens as first')
        .select(({ fn }) => fn.min('first.token_version').as('version'))
        .where('first.user_id', '=', before.id)
        .where('first.kind', '=', 'revert_email')
        .where('first.email', '=', email),
    )
    .executeTakeFirst();
  if (ended.numDeletedRows > 0n) return;

  // Nobody has this token: it reserves the address until the one that is mailed takes its place.
  const link = { kind: 'revert_email', user: before, email: before.email, seconds: week } as const;
  await insertToken(database, link);
  // Earlier addresses get as much time as later ones.
  await database
    .updateTable('auth_mailed_tokens')
    .set({ expires_at: isoTime(Date.now() + week * 1000) })
    .where(isLinkBack)
    .where('user_id', '=', before.id)
    .execute();
}

const week = 7 * 86_400;

function isLinkBack({ and, eb }: ExpressionBuilder<Tables, 'auth_mailed_tokens'>) {
  return and([eb('kind', '=', 'revert_email'), eb('expires_at', '>', isoTime())]);
}

/** The token for a mail to a former address; undefined if the account has returned to it, or to an earlier one. */
export async function issueRevertToken(
  database: Database,
  { id, email }: { readonly id: UserId; readonly email: string },
): Promise<string | undefined> {
  const token = newToken();
  const { numUpdatedRows } = await database
    .updateTable('auth_mailed_tokens')
    .set({ token_hash: hashOf(token) })
    .where(isLinkBack)
    .where('user_id', '=', id)
    .where('email', '=', email)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? token : undefined;
}

/** Whether a change from this address can still be taken back; for that long, nobody else may register it. */
export async function isHeldForRevert(database: Database, email: string): Promise<boolean> {
  const links = database.selectFrom('auth_mailed_tokens').select('user_id').where(isLinkBack);
  return (await links.where('email', '=', email).executeTakeFirst()) !== undefined;
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

function invalidToken(kind: Kind): Problem {
  return badRequest(codes[kind], 'The token is unknown, expired or used.');
}
