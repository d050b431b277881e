import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import { newUuid } from '../database/values.ts';
import type { UserId } from '../users/schema.ts';

/** One login, with the refresh token that is its current one. */
export interface Session {
  readonly id: string;
  readonly user_id: UserId;
  readonly current_jti: string;
  readonly current_iat: number;
}

type Lifetimes = Pick<Config['auth'], 'refreshTokenSeconds' | 'refreshReuseGraceSeconds'>;

const columns = ['id', 'user_id', 'current_jti', 'current_iat'] as const;

export async function startSession(
  database: Database,
  userId: UserId,
  { refreshTokenSeconds }: Lifetimes,
): Promise<Session> {
  const now = Date.now();
  return database
    .insertInto('auth_sessions')
    .values({
      id: newUuid(),
      user_id: userId,
      current_jti: randomUUID(),
      current_iat: Math.floor(now / 1000),
      created_at: time(now),
      expires_at: time(now + refreshTokenSeconds * 1000),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

interface Rotation {
  /** As the first use of the token left it; absent when the login is over. */
  readonly session?: Session;
  /** The token was used before, too long ago for a retry: the login ends. */
  readonly isReused?: true;
}

/** Replaces the refresh token `jti` of a session by its successor. However many ask at once, there is one. */
export async function rotateSession(
  database: Database,
  { sid, jti }: { readonly sid: string; readonly jti: string },
  lifetimes: Lifetimes,
): Promise<Rotation> {
  const now = Date.now();
  const session = await database
    .updateTable('auth_sessions')
    .set({
      previous_jti: jti,
      current_jti: randomUUID(),
      current_iat: Math.floor(now / 1000),
      rotated_at: time(now),
      expires_at: time(now + lifetimes.refreshTokenSeconds * 1000),
    })
    .where('id', '=', sid)
    .where('current_jti', '=', jti)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', time(now))
    .returning(columns)
    .executeTakeFirst();
  if (session) return { session };

  const found = await database
    .selectFrom('auth_sessions')
    .select([...columns, 'previous_jti', 'rotated_at'])
    .where('id', '=', sid)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', time(now))
    .executeTakeFirst();
  if (!found) return {};
  const graceStart = time(now - lifetimes.refreshReuseGraceSeconds * 1000);
  const isRetry = found.previous_jti === jti && (found.rotated_at ?? '') >= graceStart;
  if (isRetry) return { session: found };
  await endSession(database, sid);
  return { isReused: true };
}

export async function endSession(database: Database, id: string): Promise<void> {
  await database
    .updateTable('auth_sessions')
    .set({ revoked_at: time(Date.now()) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
