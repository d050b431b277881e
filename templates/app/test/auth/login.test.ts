import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHasher } from '../../src/auth/passwords.ts';
import type { Claims } from '../../src/auth/sessions.ts';
import { users } from '../../src/users/schema.ts';
import { type SignedIn, startTestApp, type TestApp } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp();
const strict = await startTestApp({ AUTH_REFRESH_REUSE_GRACE_SECONDS: '0' });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('login', () => {
  it('gives a pair of tokens', async () => {
    const { email } = await api.make.user();
    const credentials = { username: email.toUpperCase(), password: testPassword };
    const response = await api.nobody.post('/auth/token', credentials);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
    });
  });

  it('takes the form that OAuth clients send', async () => {
    const { email } = await api.make.user();
    const response = await api.nobody.form('/auth/token', {
      grant_type: 'password',
      client_id: 'browser',
      scope: '',
      username: email,
      password: testPassword,
    });
    expect(response.statusCode).toBe(200);
  });

  it('answers the same whether the password or the user is wrong', async () => {
    const { email } = await api.make.user();
    const answers = await Promise.all(
      [
        { username: email, password: 'not the password' },
        { username: email, password: 'x'.repeat(100) },
        { username: 'nobody@example.test', password: testPassword },
      ].map((credentials) => api.nobody.post('/auth/token', credentials)),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['content-type']).toContain('application/json');
      expect({ ...answer.json(), request_id: '' }).toEqual({
        ...answers[0]?.json(),
        request_id: '',
      });
      expect(answer.json()).toMatchObject({
        error: 'invalid_grant',
        error_description: expect.any(String),
      });
    }
  });

  it('takes as much work where there is no user, or their hash was made at another cost', async () => {
    const verify = vi.spyOn(api.app.hasher, 'verify');
    const credentials = { username: 'nobody@example.test', password: testPassword };
    await api.nobody.post('/auth/token', credentials);
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
    await api.nobody.post('/auth/forgot-password', { email });
    const reset = { token: await api.mailedToken(email), password: 'another good password' };
    const { verify } = api.app.hasher;
    vi.spyOn(api.app.hasher, 'verify').mockImplementationOnce(async (...attempt) => {
      const isRight = await verify(...attempt);
      await api.nobody.post('/auth/reset-password', reset);
      return isRight;
    });
    const credentials = { username: email, password: testPassword };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(401);
  });

  it('renews a hash that was made at another cost', async () => {
    const { id, email } = await api.make.user();
    const password = await openHasher({ bcryptCost: 5 }).hash(testPassword);
    const rows = api.app.database.updateTable(users.table).where('id', '=', id);
    await rows.set({ password }).execute();
    const credentials = { username: email, password: testPassword };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
    const row = await api.app.database
      .selectFrom(users.table)
      .select('password')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.password).toMatch(/^\$2b\$04\$/);
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
  });

  it('takes each field of a form once', async () => {
    const twice = 'username=ann&username=ben&password=secret';
    const response = await api.nobody.form('/auth/token', twice);
    expect(response.statusCode).toBe(422);
  });

  it('needs a user name and a password', async () => {
    const response = await api.nobody.post('/auth/token', {});
    expect(response.statusCode).toBe(422);
    expect(response.json().error).toBe('invalid_request');
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
    const inHeader = await api.nobody.get('/auth/me', { authorization: `bEaReR ${token}` });
    const inQuery = await api.nobody.get(`/auth/me?access_token=${token}`);
    expect([inHeader.statusCode, inQuery.statusCode]).toEqual([200, 401]);
  });

  it.each(['Bearer', 'Bearer '])('takes an empty `%s` for no token', async (authorization) => {
    const response = await api.nobody.get('/auth/me', { authorization });
    expect([response.statusCode, response.json().code]).toEqual([401, 'unauthorized']);
  });

  it('accepts no token but the one that was signed', async () => {
    const { token } = await api.signIn();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = Buffer.from(JSON.stringify({ ...claimsOf(token), uid: 0 })).toString('base64url');
    const bad = [
      'nonsense',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      `${header}.${payload}.${signature}=`,
      `${header}.${other}.${signature}`,
      `${unsigned}.${payload}.`,
    ];
    for (const each of bad) {
      const response = await api.nobody.get('/auth/me', { authorization: `Bearer ${each}` });
      expect([each, response.statusCode]).toEqual([each, 401]);
      expect(response.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  it('accepts no token that is expired, of another type or of another version', async () => {
    const { token } = await api.signIn();
    const claims = claimsOf(token);
    const now = Math.floor(Date.now() / 1000);
    const others = [
      { ...claims, iat: now - 1000, exp: now - 1 },
      { ...claims, iat: now + 3600, exp: now + 7200 },
      { ...claims, type: 'refresh' as const },
      { ...claims, tv: claims.tv + 1 },
      { ...claims, sid: '00000000-0000-7000-8000-000000000000' },
    ];
    for (const each of others) {
      const response = await api.nobody.get('/auth/me', {
        authorization: `Bearer ${api.app.tokens.sign(each)}`,
      });
      expect([each, response.statusCode]).toEqual([each, 401]);
    }
    const same = { authorization: `Bearer ${api.app.tokens.sign(claims)}` };
    expect((await api.nobody.get('/auth/me', same)).statusCode).toBe(200);
  });

  it('forgets users that are gone', async () => {
    const user = await api.signIn();
    await api.app.database.deleteFrom(users.table).where('id', '=', user.user.id).execute();
    expect((await user.get('/auth/me')).statusCode).toBe(401);
  });
});

describe('refresh', () => {
  it('gives a new pair', async () => {
    const first = await logIn(api);
    const response = await refresh(api, first.refresh_token);
    const second = response.json();
    expect(response.statusCode).toBe(200);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const me = await api.nobody.get('/auth/me', { authorization: `Bearer ${second.access_token}` });
    expect(me.statusCode).toBe(200);
    expect((await refresh(api, second.refresh_token)).statusCode).toBe(200);
  });

  it('takes the form that OAuth clients send', async () => {
    const { refresh_token } = await logIn(api);
    const form = { grant_type: 'refresh_token', refresh_token };
    const response = await api.nobody.form('/auth/refresh', form);
    expect(response.statusCode).toBe(200);
  });

  it('gives all who ask at once the same successor', async () => {
    const { refresh_token } = await logIn(api);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => refresh(api, refresh_token)),
    );
    const successors = new Set(responses.map((response) => response.json().refresh_token));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
    expect(successors.size).toBe(1);
  });

  it('ends the login when a token is used again too late', async () => {
    const first = await logIn(strict);
    const second = (await refresh(strict, first.refresh_token)).json();
    await sleep(5);
    expect((await refresh(strict, first.refresh_token)).statusCode).toBe(401);
    expect((await refresh(strict, second.refresh_token)).statusCode).toBe(401);
  });

  it('accepts refresh tokens alone', async () => {
    const { access_token } = await logIn(api);
    for (const token of [access_token, 'nonsense', '']) {
      const response = await refresh(api, token);
      expect(response.statusCode).toBe(401);
      expect(response.json().error).toBe('invalid_grant');
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
    expect((await refresh(api, here.refreshToken)).statusCode).toBe(401);
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

async function logIn({ nobody, make }: TestApp) {
  const { email } = await make.user();
  const credentials = { username: email, password: testPassword };
  return (await nobody.post('/auth/token', credentials)).json();
}

const refresh = ({ nobody }: TestApp, refresh_token: string) =>
  nobody.post('/auth/refresh', { refresh_token });

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
