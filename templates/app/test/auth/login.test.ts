import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHasher } from '../../src/auth/passwords.ts';
import type { Claims } from '../../src/auth/sessions.ts';
import { Role } from '../../src/enums.ts';
import { findCredentials } from '../../src/users/credentials.ts';
import { users } from '../../src/users/schema.ts';
import { type SignedIn, startTestApp, times } from '../app.ts';
import { testPassword } from '../factory.ts';
import { accounts } from './accounts.ts';

const api = await startTestApp();
const strict = await startTestApp({ AUTH_REFRESH_REUSE_GRACE_SECONDS: '0' });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const { logIn, forget, reset } = accounts(api);

describe('login', () => {
  it('gives a pair of tokens', async () => {
    const { email } = await api.make.user();
    const response = await logIn(email.toUpperCase());
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(response.json()).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
    });
  });

  it('takes the form that OAuth clients send, and each field of it once', async () => {
    const { email: username } = await api.make.user();
    const form = { grant_type: 'password', client_id: 'browser', scope: '', username };
    const response = await api.nobody.form('/auth/token', { ...form, password: testPassword });
    expect(response.statusCode).toBe(200);
    const twice = await api.nobody.form('/auth/token', 'username=ann&username=ben&password=secret');
    expect(twice.statusCode).toBe(422);
  });

  it('answers the same whether the password or the user is wrong', async () => {
    const { email } = await api.make.user();
    const answers = [
      await logIn(email, 'not the password'),
      await logIn(email, 'x'.repeat(100)),
      await logIn('nobody@example.test'),
    ];
    const bodies = answers.map((answer) => ({ ...answer.json(), request_id: '' }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
    expect(answers[0]?.headers['content-type']).toContain('application/json');
    expect(bodies[0]).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.any(String),
    });
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  });

  it('takes as much work where there is no user, or their hash was made at another cost', async () => {
    const verify = vi.spyOn(api.app.hasher, 'verify');
    await logIn('nobody@example.test');
    expect(verify).toHaveBeenCalledWith(testPassword, undefined, '127.0.0.1');

    const hasher = openHasher({ bcryptCost: 10 });
    const work = async (stored?: string) => {
      const before = process.cpuUsage();
      await hasher.verify('not the password', stored);
      return process.cpuUsage(before).user;
    };
    const known = await work(await hasher.hash(testPassword));
    const cheap = await openHasher({ bcryptCost: 6 }).hash(testPassword);
    for (const stored of [undefined, 'no hash', cheap]) {
      expect(await work(stored)).toBeGreaterThan(known / 3);
    }
  });

  it('is refused when the password is reset while it is checked', async () => {
    const { email } = await api.make.user();
    const token = await forget(email);
    const { verify } = api.app.hasher;
    vi.spyOn(api.app.hasher, 'verify').mockImplementationOnce(async (...attempt) => {
      const isRight = await verify(...attempt);
      await reset(token);
      return isRight;
    });
    expect((await logIn(email)).statusCode).toBe(401);
  });

  it('renews a hash that was made at another cost', async () => {
    const { id, email } = await api.make.user();
    const password = await openHasher({ bcryptCost: 5 }).hash(testPassword);
    const rows = api.app.database.updateTable(users.table).where('id', '=', id);
    await rows.set({ password }).execute();
    expect((await logIn(email)).statusCode).toBe(200);
    expect(await findCredentials(api.app.database, id)).toMatchObject({
      password: expect.stringMatching(/^\$2b\$04\$/),
    });
    expect((await logIn(email)).statusCode).toBe(200);
  });

  it('needs a user name and a password', async () => {
    const response = await api.nobody.post('/auth/token', {});
    expect([response.statusCode, response.json().error]).toEqual([422, 'invalid_request']);
  });
});

describe('a protected route', () => {
  it('asks for a token', async () => {
    const response = await api.nobody.get('/auth/me');
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="[^"]+"$/);
  });

  it('reads the token from the header alone, the scheme in any case', async () => {
    const { token } = await api.signIn();
    const inQuery = await api.nobody.get(`/auth/me?access_token=${token}`);
    expect([(await whoIs(`bEaReR ${token}`)).statusCode, inQuery.statusCode]).toEqual([200, 401]);
  });

  it.each(['Bearer', 'Bearer '])('takes an empty `%s` for no token', async (authorization) => {
    const response = await whoIs(authorization);
    expect([response.statusCode, response.json().code]).toEqual([401, 'unauthorized']);
  });

  it('accepts no token but a live one, of its kind, that was signed here', async () => {
    const { token } = await api.signIn();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = claimsOf(token);
    const now = Math.floor(Date.now() / 1000);
    const sign = (changes: Partial<Claims>) => api.app.tokens.sign({ ...claims, ...changes });
    const bad = [
      'nonsense',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      `${header}.${payload}.${signature}=`,
      `${header}.${encode({ ...claims, uid: 0 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      sign({ iat: now - 1000, exp: now - 1 }),
      sign({ iat: now + 3600, exp: now + 7200 }),
      sign({ type: 'refresh' }),
      sign({ tv: claims.tv + 1 }),
      sign({ sid: '00000000-0000-7000-8000-000000000000' }),
    ];
    for (const each of bad) {
      const response = await whoIs(`Bearer ${each}`);
      expect([each, response.statusCode]).toEqual([each, 401]);
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await whoIs(`Bearer ${sign({})}`)).statusCode).toBe(200);
  });

  it('forgets users that are gone', async () => {
    const user = await api.signIn();
    await api.app.database.deleteFrom(users.table).where('id', '=', user.user.id).execute();
    expect((await user.get('/auth/me')).statusCode).toBe(401);
  });
});

describe('findLogin', () => {
  it('finds the user of an access token, until they log out', async () => {
    const ann = await api.signIn();
    const { sid: sessionId } = claimsOf(ann.token);
    const login = await api.app.findLogin(ann.token);
    expect(login).toMatchObject({ user: { id: ann.user.id }, sessionId });
    expect(await api.app.findLogin(ann.refreshToken)).toBeUndefined();
    await ann.post('/auth/logout');
    expect(await api.app.findLogin(ann.token)).toBeUndefined();
  });
});

describe('authorize', () => {
  it('lets in users who have the role, and admins', async () => {
    const { authenticate, authorize } = api.app;
    const server = Fastify().decorateRequest('user', null).decorateRequest('sessionId', '');
    for (const role of Role) {
      server.get(`/${role}`, { onRequest: [authenticate, authorize(role)] }, async () => role);
    }
    const statusOf = async (role: Role, url: string) => {
      const { token } = await api.signIn(role);
      const headers = { authorization: `Bearer ${token}` };
      return (await server.inject({ url, headers })).statusCode;
    };
    expect(await statusOf('user', '/user')).toBe(200);
    expect(await statusOf('user', '/admin')).toBe(403);
    for (const role of Role) expect(await statusOf('admin', `/${role}`)).toBe(200);
    expect((await server.inject('/user')).statusCode).toBe(401);
  });
});

describe('refresh', () => {
  it('gives a new pair', async () => {
    const { refreshToken } = await api.signIn();
    const first = await refresh(refreshToken);
    const { access_token, refresh_token } = first.json();
    expect([first.statusCode, refresh_token === refreshToken]).toEqual([200, false]);
    const me = await api.nobody.get('/auth/me', { authorization: `Bearer ${access_token}` });
    expect(me.statusCode).toBe(200);
    const form = { grant_type: 'refresh_token', refresh_token };
    expect((await api.nobody.form('/auth/refresh', form)).statusCode).toBe(200);
  });

  it('gives all who ask at once the same successor', async () => {
    const { refreshToken } = await api.signIn();
    const answers = await Promise.all(times(20, refreshToken).map((token) => refresh(token)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(times(20, 200));
    expect(new Set(answers.map((answer) => answer.json().refresh_token)).size).toBe(1);
  });

  it('ends the login when a token is used again too late', async () => {
    const { refreshToken } = await strict.signIn();
    const { refresh_token } = (await refresh(refreshToken, strict)).json();
    await sleep(5);
    expect((await refresh(refreshToken, strict)).statusCode).toBe(401);
    expect((await refresh(refresh_token, strict)).statusCode).toBe(401);
  });

  it('accepts refresh tokens alone', async () => {
    const { token } = await api.signIn();
    for (const other of [token, 'nonsense', '']) {
      const response = await refresh(other);
      expect([response.statusCode, response.json().error]).toEqual([401, 'invalid_grant']);
    }
    expect((await api.nobody.post('/auth/refresh', {})).statusCode).toBe(422);
  });
});

describe('logout', () => {
  it('ends this login and no other', async () => {
    const { user } = await api.signIn();
    const [here, there] = [await api.logIn(user), await api.logIn(user)];
    expect((await here.post('/auth/logout')).statusCode).toBe(204);
    expect((await here.get('/auth/me')).statusCode).toBe(401);
    expect((await refresh(here.refreshToken)).statusCode).toBe(401);
    expect((await there.get('/auth/me')).statusCode).toBe(200);
  });
});

describe('the clean-up', () => {
  it('ends what is expired and nothing else, at the start and every hour', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const sessions = () => api.app.database.selectFrom('auth_sessions').select('id').execute();
    const expire = async ({ token }: SignedIn) => {
      const rows = api.app.database.updateTable('auth_sessions');
      const past = { expires_at: new Date(Date.now() - 1000).toISOString() };
      await rows.set(past).where('id', '=', claimsOf(token).sid).execute();
    };
    const [early, late, live] = [await api.signIn(), await api.signIn(), await api.signIn()];
    await expire(early);
    const server = await api.another();
    await server.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(async () => (await sessions()).length).toBe(2);
    await expire(late);
    vi.advanceTimersByTime(3_600_000);
    await expect.poll(sessions).toEqual([{ id: claimsOf(live.token).sid }]);
    await server.close();
  });
});

function refresh(refresh_token: string, { nobody } = api) {
  return nobody.post('/auth/refresh', { refresh_token });
}

function whoIs(authorization: string) {
  return api.nobody.get('/auth/me', { authorization });
}

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
