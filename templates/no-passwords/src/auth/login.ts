import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Credentials, findCredentials } from '../users/credentials.ts';
import type { UserId } from '../users/schema.ts';
import type { TokenPair } from './schema.ts';
import { rotateSession, type Session, startSession } from './sessions.ts';

type Services = Pick<FastifyInstance, 'config' | 'database' | 'tokens'>;

/** Logs in somebody who has proved elsewhere that they are this user. */
export async function logIn(services: Services, user: Credentials): Promise<TokenPair> {
  const session = await startSession(services.database, user.id, services.config.auth);
  return issueTokens(services, user, session);
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
