import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { transaction } from '../database/transaction.ts';
import { Problem } from '../lib/problem.ts';
import { addressRange } from '../lib/request.ts';
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

interface Attempt {
  /** In its canonical form. */
  readonly email: string;
  readonly password: string;
  /** Where it comes from. */
  readonly address: string;
  /** The login that asks for its own password again. */
  readonly session?: string;
}

/** The user whose password this is; 401 when there is none, 429 after too many of those. */
export async function checkPassword(services: Services, attempt: Attempt): Promise<Credentials> {
  const { database, hasher } = services;
  const { email, password, address } = attempt;
  const user = await findCredentialsByEmail(database, email);
  const guess = await takeGuess(services, attempt, user);

  // It takes as long to find that there is no such user.
  if (!(await hasher.verify(password, user?.password, addressRange(address))) || !user)
    throw wrongPassword();
  if (hasher.isOutdated(user.password)) await rehash(database, user, await hasher.hash(password));
  await guess.wasRight();
  return user;
}

/**
 * Counts a guess before it is judged. Who is signed in, or at an address that the user logged in from before, has
 * guesses of their own, so that strangers who use up theirs lock out nobody but strangers.
 */
async function takeGuess(
  { database, rateLimits }: Services,
  { email, address, session }: Attempt,
  user: Credentials | undefined,
) {
  const range = addressRange(address);
  const isKnown = await isKnownAddress(database, { userId: user?.id, range });
  const isStranger = session === undefined && !isKnown;
  const subject = isStranger ? email : `${email} ${session ?? range}`;
  if (isStranger) await rateLimits.take('failed_login_from', range);
  await rateLimits.take('failed_login_as', subject);
  return {
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
  const session = await transaction(database, async (transacting) => {
    await requireUnchanged(transacting, user);
    await rememberAddress(transacting, { userId: user.id, range: addressRange(address) });
    return startSession(transacting, user.id, config.auth);
  });
  return issueTokens({ config, tokens }, user, session);
}

interface Refreshed {
  readonly user?: UserId;
  readonly session?: string;
  /** Absent when the token is not good. */
  readonly pair?: TokenPair;
  /** It was used before: it was stolen, or sent a second time. */
  readonly isReused?: true;
}

/** A new pair for a refresh token. */
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

/** The refresh token follows from its session alone: asked for again, it is the same one. */
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

/** Locks a user whose password was checked: 401 when it was changed meanwhile, or the address, by a reset for instance. */
export async function requireUnchanged(database: Database, user: Credentials): Promise<void> {
  const current = await lockCredentials(database, user.id);
  if (current?.token_version !== user.token_version) throw wrongPassword();
}

function wrongPassword(): Problem {
  return new Problem(401, 'invalid_credentials', 'The email or the password is wrong.');
}

/** A network that a user proved to be at. Guesses from elsewhere do not keep them out there. */
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
    .where('key', '=', keyOf(place))
    .where('seen_at', '>', new Date(Date.now() - addressLifetime).toISOString())
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberAddress(
  database: Database,
  place: Place & { readonly userId: UserId },
): Promise<void> {
  const seen_at = new Date().toISOString();
  await database
    .insertInto('auth_known_addresses')
    .values({ key: keyOf(place), user_id: place.userId, seen_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at }))
    .execute();
}

function keyOf({ userId, range }: Place): string {
  return createHash('sha256').update(`${userId} ${range}`).digest('base64url');
}
