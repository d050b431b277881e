import { describe, expect, it } from 'vitest';
import { openHasher } from '../../src/auth/passwords.ts';
import type { Claims } from '../../src/auth/tokens.ts';
import { users } from '../../src/users/schema.ts';
import { startTestApp } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp();

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
    const response = await api.nobody.send({
      method: 'POST',
      url: '/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(
        new URLSearchParams({
          grant_type: 'password',
          client_id: 'browser',
          scope: '',
          username: email,
          password: testPassword,
        }),
      ),
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
    const response = await api.nobody.send({
      method: 'POST',
      url: '/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'username=ann&username=ben&password=secret',
    });
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

  it('accepts no token but the one that was signed', async () => {
    const { token } = await api.signIn();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = Buffer.from(JSON.stringify({ ...claimsOf(token), uid: 0 })).toString('base64url');
    const bad = [
      '',
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

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
