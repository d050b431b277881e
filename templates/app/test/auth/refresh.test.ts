import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp();
const strict = await startTestApp({ AUTH_REFRESH_REUSE_GRACE_SECONDS: '0' });

async function logIn({ nobody, make }: TestApp) {
  const { email } = await make.user();
  const credentials = { username: email, password: testPassword };
  return (await nobody.post('/auth/token', credentials)).json();
}

const refresh = ({ nobody }: TestApp, refresh_token: string) =>
  nobody.post('/auth/refresh', { refresh_token });

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
    const response = await api.nobody.send({
      method: 'POST',
      url: '/auth/refresh',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(new URLSearchParams({ grant_type: 'refresh_token', refresh_token })),
    });
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
