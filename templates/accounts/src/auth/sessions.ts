import { createHmac, createSecretKey, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import type { Tables } from '../database/tables.ts';
import { isoTime, type ValueType, wireTypes } from '../database/values.ts';
import { fieldOf } from '../lib/resource.ts';
import { users, type UserId } from '../users/schema.ts';

export type Session = Readonly<Pick<Tables['auth_sessions'], (typeof columns)[number]>>;

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
      id: randomUUID(),
      user_id: userId,
      current_jti: randomUUID(),
      current_iat: Math.floor(now / 1000),
      created_at: isoTime(now),
      expires_at: isoTime(now + refreshTokenSeconds * 1000),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

interface Rotation {
  /** The session after the first use of the token; absent if the login has ended. */
  readonly session?: Session;
  /** Whether the token was used before, too long ago for a retry. The login then ends. */
  readonly isReused?: true;
}

/** Replaces the refresh token `jti` of a session. Requests at the same time get the same new token. */
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
      rotated_at: isoTime(now),
      expires_at: isoTime(now + lifetimes.refreshTokenSeconds * 1000),
    })
    .where('id', '=', sid)
    .where('current_jti', '=', jti)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', isoTime(now))
    .returning(columns)
    .executeTakeFirst();
  if (session) return { session };

  const found = await database
    .selectFrom('auth_sessions')
    .select([...columns, 'previous_jti', 'rotated_at'])
    .where('id', '=', sid)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', isoTime(now))
    .executeTakeFirst();
  if (!found) return {};
  const graceStart = isoTime(now - lifetimes.refreshReuseGraceSeconds * 1000);
  const isRetry = found.previous_jti === jti && (found.rotated_at ?? '') >= graceStart;
  if (isRetry) return { session: found };
  await endSession(database, sid);
  return { isReused: true };
}

export async function endSession(database: Database, id: string): Promise<void> {
  await database
    .updateTable('auth_sessions')
    .set({ revoked_at: isoTime() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

export interface Claims {
  /** The email, for readers of the token. */
  readonly sub: string;
  readonly type: 'access' | 'refresh';
  readonly uid: UserId;
  /** The id of the session, which is one login. */
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** Version of the user's tokens; older ones are void. */
  readonly tv: number;
}

export type Tokens = ReturnType<typeof openTokens>;

const maxLength = 4096;
const clockSkewSeconds = 60;

/** JSON Web Tokens (RFC 7519) with one algorithm and one header: nothing a token says about itself is trusted. */
export function openTokens({ secretKey, algorithm }: Config['auth']) {
  const key = createSecretKey(secretKey, 'utf8');
  const hash = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }[algorithm];
  const header = encode({ alg: algorithm, typ: 'JWT' });
  const signed = (payload: string) => {
    const content = `${header}.${payload}`;
    return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
  };

  return {
    /** The same claims always make the same token. */
    sign: (claims: Claims) => signed(encode(claims)),
    /** `undefined` unless it is a valid token of this type that was signed here and has not expired. */
    verify(token: string, type: Claims['type']): Claims | undefined {
      const [, payload = ''] = token.split('.', 2);
      // Compares the whole text, since another header, padding or a stray bit at the end makes another token.
      if (token.length > maxLength || !isSame(token, signed(payload))) return undefined;
      const claims = decode(payload);
      return isClaims(claims) && claims.type === type && isLive(claims) ? claims : undefined;
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function isLive({ iat, exp }: Claims): boolean {
  const now = Date.now() / 1000;
  return now < exp && iat <= now + clockSkewSeconds;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined; // signed with this key by another program
  }
}

const claimTypes: Readonly<Record<keyof Claims, ValueType>> = {
  sub: { type: 'text' },
  type: { type: 'text' },
  uid: fieldOf(users, 'id'),
  sid: { type: 'uuid' },
  jti: { type: 'text' },
  iat: { type: 'id' },
  exp: { type: 'id' },
  tv: { type: 'int' },
};

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const claims = new Map<string, unknown>(Object.entries(value));
  return Object.entries(claimTypes).every(([name, field]) =>
    wireTypes[field.type].check(claims.get(name), field),
  );
}
