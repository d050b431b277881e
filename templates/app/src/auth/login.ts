import { hash, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { isoTime } from '../database/values.ts';
import { addressRange } from '../lib/client-address.ts';
import { Problem } from '../lib/problem.ts';
import {
  type Credentials,
  findCredentials,
  findCredentialsByEmail,
  lockCredentials,
  rehash,
} from '../users/credentials.ts';
import type { UserId } from '../users/schema.ts';
import type { TokenPair } from './schema.ts';
import { rotateSession, type Session, startSession } from './sessions.ts';

type Services = Pick<FastifyInstance, 'config' | 'database' | 'hasher' | 'rateLimits' | 'tokens'>;

interface LoginAttempt {
  /** In canonical form. */
  readonly email: string;
  readonly password: string;
  /** The IP address that it comes from. */
  readonly address: string;
  /** Set when a user who is logged in is asked for their password again. */
  readonly session?: string;
}

/** The user whose password this is. Throws 401 if it is wrong, and 429 after too many wrong ones. */
export async function checkPassword(
  services: Services,
  attempt: LoginAttempt,
): Promise<Credentials> {
  const { database, hasher } = services;
  const { email, password, address } = attempt;
  const user = await findCredentialsByEmail(database, email);
  const guess = await takeGuess(services, attempt, user);

  // Also for an unknown address, so that the time does not reveal which ones are known.
  const isRight = await hasher
    .verify(password, user?.password, addressRange(address))
    .catch(async (error: unknown) => {
      await guess.wasNone();
      throw error;
    });
  if (!isRight || !user) throw wrongPassword();
  await guess.wasRight();
  if (hasher.isOutdated(user.password)) await rehash(database, user, await hasher.hash(password));
  return user;
}

/**
 * Counts a guess before it is checked. Somebody who is signed in, or at an IP address that the user logged in from
 * before, has a separate allowance, so strangers who guess passwords can only lock out other strangers.
 */
async function takeGuess(
  { database, rateLimits }: Services,
  { email, address, session }: LoginAttempt,
  user: Credentials | undefined,
) {
  const range = addressRange(address);
  const isKnown = await isKnownAddress(database, { userId: user?.id, range });
  const isStranger = session === undefined && !isKnown;
  const subject = isStranger ? email : `${email} ${session ?? range}`;
  if (isStranger) await rateLimits.take('failed_login_from', range);
  await rateLimits.take('failed_login_as', subject);
  return {
    /** The server was too busy to look. */
    async wasNone() {
      if (isStranger) await rateLimits.giveBack('failed_login_from', range);
      await rateLimits.giveBack('failed_login_as', subject);
    },
    async wasRight() {
      if (isStranger) await rateLimits.giveBack('failed_login_from', range);
      await rateLimits.forget('failed_login_as', subject);
    },
  };
}

export async function logIn(
  { database, config, tokens }: Services,
  user: Credentials,
  address: string,
): Promise<TokenPair> {
  const session = await transaction(database, async (open) => {
    await requireUnchanged(open, user);
    await rememberAddress(open, { userId: user.id, range: addressRange(address) });
    return startSession(open, user.id, config.auth);
  });
  return issueTokens({ config, tokens }, user, session);
}

interface Refreshed {
  readonly user?: UserId;
  readonly session?: string;
  /** Absent when the token is not valid. */
  readonly pair?: TokenPair;
  /** The token was used before: it was stolen, or sent twice. */
  readonly isReused?: true;
}

export async function refreshLogin(services: Services, token: string): Promise<Refreshed> {
  const { config, database, tokens } = services;
  const claims = tokens.verify(token, 'refresh');
  if (!claims) return {};
  const subject = { user: claims.uid, session: claims.sid };
  const { session, isReused } = await rotateSession(database, claims, config.auth);
  const user = session && (await findCredentials(database, session.user_id));
  if (!user) return { ...subject, ...(isReused && { isReused }) };
  return { ...subject, pair: issueTokens(services, user, session) };
}

/** The refresh token depends on its session alone: asked for again, it is the same one. */
function issueTokens(
  { config, tokens }: Pick<Services, 'config' | 'tokens'>,
  user: Credentials,
  session: Session,
): TokenPair {
  const { accessTokenSeconds, refreshTokenSeconds } = config.auth;
  const now = Math.floor(Date.now() / 1000);
  const { current_jti: jti, current_iat: iat } = session;
  const claims = { sub: user.email, uid: user.id, sid: session.id, tv: user.token_version };
  return {
    access_token: tokens.sign({
      ...claims,
      type: 'access',
      jti: randomUUID(),
      iat: now,
      exp: now + accessTokenSeconds,
    }),
    refresh_token: tokens.sign({
      ...claims,
      type: 'refresh',
      jti,
      iat,
      exp: iat + refreshTokenSeconds,
    }),
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
  };
}

/** Locks a user whose password was checked; throws 401 when it or the address has changed since. */
export async function requireUnchanged(database: Database, user: Credentials): Promise<void> {
  const current = await lockCredentials(database, user.id);
  if (current?.token_version !== user.token_version) throw wrongPassword();
}

function wrongPassword(): Problem {
  return new Problem(401, 'invalid_credentials', 'Incorrect email or password.');
}

/** A network from which a user has logged in. Guesses made elsewhere do not lock them out there. */
interface Place {
  readonly userId: UserId | undefined;
  readonly range: string;
}

/** In milliseconds. */
export const addressLifetime = 90 * 24 * 3_600_000;

async function isKnownAddress(database: Database, place: Place): Promise<boolean> {
  const row = await database
    .selectFrom('auth_known_addresses')
    .select('key')
    .where('key', '=', placeKey(place))
    .where('seen_at', '>', isoTime(Date.now() - addressLifetime))
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberAddress(
  database: Database,
  place: Place & { readonly userId: UserId },
): Promise<void> {
  const seen_at = isoTime();
  await database
    .insertInto('auth_known_addresses')
    .values({ key: placeKey(place), user_id: place.userId, seen_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at }))
    .execute();
}

function placeKey({ userId, range }: Place): string {
  return hash('sha256', `${userId} ${range}`, 'base64url');
}
