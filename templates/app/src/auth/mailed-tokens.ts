import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/client.ts';
import { badRequest, type Problem } from '../lib/problem.ts';
import { findCredentials, holdCredentials, type Credentials } from '../users/credentials.ts';

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
export async function consumeToken(database: Database, kind: Kind, token: string) {
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
