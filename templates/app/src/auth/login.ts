import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { genSaltSync, hash, parseOptions, verify } from '@node-rs/bcrypt';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import { queue } from '../database/queue.ts';
import { transaction } from '../database/transaction.ts';
import { Problem } from '../lib/problem.ts';
import { addressRange } from '../lib/request.ts';
import { isAcceptablePassword } from '../lib/types.ts';
import {
  type Credentials,
  findCredentials,
  findCredentialsByEmail,
  holdCredentials,
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
  const { email, password } = attempt;
  const user = await findCredentialsByEmail(database, email);
  const guess = await takeGuess(services, attempt, user);

  // It takes as long to find that there is no such user.
  if (!(await hasher.verify(password, user?.password)) || !user) throw wrongPassword();
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
    // The password may have been reset while it was checked.
    if (!(await holdCredentials(transacting, user))) throw wrongPassword();
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

export function wrongPassword(): Problem {
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

export interface Hasher {
  hash(password: string): Promise<string>;
  /** False, and as late as for a wrong password, when there is no hash or none that can be read. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
  /** Whether the cost was changed since the hash was made. */
  isOutdated(stored: string): boolean;
}

/** As high as the setting goes: one imported hash beyond it does not make every answer wait. */
const highestSetting = 15;

/** `findHighestCost` tells of hashes that were made when the setting was higher. */
export function openHasher(
  { bcryptCost: cost }: Pick<Config['auth'], 'bcryptCost'>,
  findHighestCost = async () => cost,
): Hasher {
  const inTurn = queue({ workers: freeThreads(), maxWaiting: 128, maxMilliseconds: 15_000 });
  let highest: Promise<number> | undefined;

  /** What each answer costs, whatever the hash that it is about. */
  const highestCost = async () => {
    highest ??= findHighestCost().catch((error: unknown) => {
      highest = undefined;
      throw error;
    });
    return Math.max(cost, Math.min(await highest, highestSetting));
  };

  return {
    hash: (password) => inTurn(() => hash(password, { cost, rejectLongPasswords: true })),
    async verify(password, stored) {
      const full = await highestCost();
      const isPossible =
        stored !== undefined && isHash(stored) && isAcceptablePassword(password, 0);
      const used = isPossible ? parseOptions(stored).cost : full;
      if (used > full) highest = Promise.resolve(used);
      return inTurn(async () => {
        const isSame = await verify(password, isPossible ? stored : decoy(full));
        // Rounds of 2^used, then 2^used, 2^(used+1), … 2^(full-1) add up to 2^full.
        for (let rest = used; rest < full; rest += 1) await verify(password, decoy(rest));
        return isPossible && isSame;
      });
    },
    isOutdated: (stored) => parseOptions(stored).cost !== cost,
  };
}

/** Takes as long as a real hash and belongs to no password. */
function decoy(cost: number): string {
  return genSaltSync({ cost }) + '.'.repeat(31);
}

function isHash(stored: string): boolean {
  return /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(stored);
}

/**
 * Hashes run in the thread pool of Node, which files and name look-ups need as well: one thread is left to them.
 * `UV_THREADPOOL_SIZE` makes the pool larger.
 */
function freeThreads(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  return Math.max(1, Math.min(availableParallelism(), threads - 1));
}
