import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { sql } from 'kysely';
import { addressLifetime } from '../auth/login.ts';
import { type Hasher, openHasher } from '../auth/passwords.ts';
import { type Claims, openTokens, type Tokens } from '../auth/sessions.ts';
import type { Database } from '../database/client.ts';
import { keptStatements, slot } from '../database/slot.ts';
import type { Role } from '../enums.ts';
import { inSql, system } from '../lib/access.ts';
import { forbidden, Problem, unauthorized } from '../lib/problem.ts';
import { addressRange, currentUser } from '../lib/request.ts';
import { rowJson } from '../lib/row-json.ts';
import { wholeRow } from '../lib/selection.ts';
import { alive, all, column, from, source } from '../lib/sql.ts';
import { findHighestCost } from '../users/credentials.ts';
import { type User, users } from '../users/schema.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly hasher: Hasher;
    readonly tokens: Tokens;
    /** For tokens that come by another way than the header, such as the first message of a socket. */
    readonly findLogin: (token: string, client?: string) => Promise<Login | undefined>;
    /** Hook: nobody passes without a good access token. */
    readonly authenticate: onRequestAsyncHookHandler;
    /** Hook: who sends no token passes as nobody; a token must be good. */
    readonly identify: onRequestAsyncHookHandler;
    /** Hook, after `authenticate`: users of this role and admins pass. */
    readonly authorize: (role: Role) => onRequestAsyncHookHandler;
  }
  interface FastifyRequest {
    user: User | null;
    /** The login that the access token belongs to. */
    sessionId: string;
  }
}

interface Login {
  readonly user: User;
  readonly sessionId: string;
}

export function addAuthentication(app: FastifyInstance): void {
  const findUser = openUserLookup(app.reader);
  const hasher = openHasher(app.config.auth, () => findHighestCost(app.database));

  app.decorate('hasher', hasher);
  app.decorate('tokens', openTokens(app.config.auth));
  app.decorateRequest('user', null);
  app.decorateRequest('sessionId', '');

  app.decorate('findLogin', async (token, client) => {
    const claims = app.tokens.verify(token, 'access');
    const user = claims && (await findUser(claims, client));
    return claims && user && { user, sessionId: claims.sid };
  });
  app.decorate('identify', async (request, reply) => {
    if (!hasCredential(request)) return;
    reply.header('cache-control', 'no-store');
    const login = await app.findLogin(bearerToken(request) ?? '', addressRange(request.ip));
    if (!login) throw invalidToken(app.config.name);
    request.user = login.user;
    request.sessionId = login.sessionId;
  });
  app.decorate('authenticate', async (request, reply) => {
    if (!hasCredential(request)) throw unauthorized();
    await app.identify.call(app, request, reply);
  });
  app.decorate('authorize', (role: Role) => async (request) => {
    const user = currentUser(request);
    if (user.role !== role && user.role !== 'admin') throw forbidden();
  });
}

/** Finds whom a token speaks for, as the API shows them, unless it was made void or its login ended since. */
function openUserLookup(reader: Database) {
  const run = keptStatements<{ readonly user_json: string }>();
  const rows = source(users);
  const conditions = all([
    sql`${column(rows, 'id')} = ${claim('uid')}`,
    sql`${sql.ref(`${rows.alias}.token_version`)} = ${claim('tv')}`,
    sql`auth_sessions.id = ${claim('sid')}`,
    sql`auth_sessions.revoked_at is null`,
    ...alive(rows),
  ]);
  const shown = rowJson(rows, wholeRow(users), inSql(system));
  const statement = sql<{
    readonly user_json: string;
  }>`select ${shown} as user_json from ${from(rows)} join auth_sessions on auth_sessions.user_id = ${column(rows, 'id')} where ${conditions}`;
  return async (claims: Claims, client?: string): Promise<User | undefined> => {
    const [found] = await run(reader, '', () => statement, { client, operands: [claims] });
    return found && JSON.parse(found.user_json);
  };
}

function claim(name: keyof Claims) {
  return slot(({ operands: [claims] = [] }) => Reflect.get(Object(claims), name));
}

/** Documentation pages send an empty `Bearer` for whoever has not signed in. */
function hasCredential({ headers: { authorization } }: FastifyRequest): boolean {
  return authorization !== undefined && !/^bearer *$/i.test(authorization);
}

/** RFC 6750, section 2.1; the scheme's case does not matter, and there is one header. */
function bearerToken({ headers, raw }: FastifyRequest): string | undefined {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0);
  const sent = names.filter((name) => name.toLowerCase() === 'authorization');
  const match = /^bearer ([\w.-]+)$/i.exec(headers.authorization ?? '');
  return sent.length === 1 ? match?.[1] : undefined;
}

/** RFC 6750, section 3.1. */
function invalidToken(realm: string): Problem {
  const detail = 'The access token is invalid, expired or revoked.';
  return new Problem(401, 'invalid_token', detail, {
    headers: {
      'www-authenticate': `Bearer realm="${realm}", error="invalid_token", error_description="${detail}"`,
    },
  });
}

const hour = 3_600_000;
const day = 24 * hour;

/** Deletes expired logins, tokens, counts and mail every hour. */
export function addCleanUp(app: FastifyInstance): void {
  const run = () => {
    cleanUp(app.database).catch((error: unknown) => {
      app.log.warn({ event: 'clean_up_failed', err: error });
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, hour).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

async function cleanUp(database: Database): Promise<void> {
  await database.deleteFrom('auth_sessions').where('expires_at', '<', before(0)).execute();
  await database.deleteFrom('auth_mailed_tokens').where('expires_at', '<', before(0)).execute();
  await database
    .deleteFrom('auth_known_addresses')
    .where('seen_at', '<', before(addressLifetime))
    .execute();
  await database
    .deleteFrom('auth_limits')
    .where('started_at', '<', Date.now() - day)
    .execute();
  await database
    .deleteFrom('mail_outbox')
    .where('created_at', '<', before(7 * day))
    .execute();
}

function before(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}
