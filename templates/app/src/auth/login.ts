import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../lib/problem.ts';
import { canonicalEmail } from '../database/values.ts';
import { addressRange } from '../plugins/rate-limits.ts';
import {
  findCredentials,
  findCredentialsByEmail,
  replaceHash,
  type Credentials,
} from '../users/credentials.ts';
import type { TokenPair } from './schema.ts';
import { rotateSession, startSession, type Session } from './sessions.ts';

type Services = Pick<FastifyInstance, 'config' | 'database' | 'hasher' | 'rateLimits' | 'tokens'>;

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** Where it comes from. */
  readonly address: string;
}

/** The user whose password this is; 401 when there is none, 429 after too many of those. */
export async function checkPassword(services: Services, attempt: Attempt): Promise<Credentials> {
  const { rateLimits } = services;
  const email = canonicalEmail(attempt.email);
  const range = addressRange(attempt.address);
  await rateLimits.check('failed_login_as', email);
  await rateLimits.check('failed_login_from', range);

  const user = await findByPassword(services, { email, password: attempt.password });
  if (!user) {
    await rateLimits.count('failed_login_as', email);
    await rateLimits.count('failed_login_from', range);
    throw new Problem(401, 'invalid_credentials', 'The email or the password is wrong.');
  }
  await rateLimits.forget('failed_login_as', email);
  return user;
}

/** It takes as long to find that there is no such user. */
async function findByPassword(
  { database, hasher }: Services,
  { email, password }: Pick<Attempt, 'email' | 'password'>,
): Promise<Credentials | undefined> {
  const user = await findCredentialsByEmail(database, email);
  if (!(await hasher.verify(password, user?.password)) || !user) return undefined;
  if (hasher.isOutdated(user.password)) {
    await replaceHash(database, { id: user.id, password: await hasher.hash(password) });
  }
  return user;
}

export async function logIn(services: Services, user: Credentials): Promise<TokenPair> {
  const session = await startSession(services.database, user.id, services.config.auth);
  return issueTokens(services, user, session);
}

interface Refreshed {
  readonly session?: string;
  /** Absent when the token is not good. */
  readonly pair?: TokenPair;
  /** It was used before: one of its two users is a thief. */
  readonly isReused?: true;
}

/** A new pair for a refresh token. */
export async function refreshLogin(services: Services, token: string): Promise<Refreshed> {
  const { config, database, tokens } = services;
  const claims = tokens.verify(token, 'refresh');
  if (!claims) return {};
  const { session, isReused } = await rotateSession(database, claims, config.auth);
  if (isReused) return { session: claims.sid, isReused };
  const user = session && (await findCredentials(database, session.user_id));
  if (!user) return {};
  return { session: session.id, pair: issueTokens(services, user, session) };
}

/** The refresh token follows from its session alone: asked for again, it is the same one. */
function issueTokens({ config, tokens }: Services, user: Credentials, session: Session): TokenPair {
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
