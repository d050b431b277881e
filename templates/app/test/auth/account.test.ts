import { describe, expect, it } from 'vitest';
import { createUserByHand } from '../../src/create-user.ts';
import { Registration } from '../../src/auth/schema.ts';
import { atOnce, pointers, type SignedIn, startTestApp, times } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp({ PUBLIC_URL: 'https://blog.example.test' });
const password = 'another good password';

async function requestToken(email: string): Promise<string> {
  await api.nobody.post('/auth/forgot-password', { email });
  return api.mailedToken(email);
}

const reset = (token: string, chosen = password) =>
  api.nobody.post('/auth/reset-password', { token, password: chosen });
const validate = (token: string) => api.nobody.post('/auth/forgot-password/validate', { token });
const logIn = (username: string, chosen: string) =>
  api.nobody.post('/auth/token', { username, password: chosen });
const refresh = ({ refreshToken }: SignedIn) =>
  api.nobody.post('/auth/refresh', { refresh_token: refreshToken });

describe('register', () => {
  it('makes an account that can log in', async () => {
    const body = await api.make.registration();
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ name: body.name, email: body.email, role: 'user' });
    expect(response.body).not.toContain(String(body.password));
    expect(response.json()).not.toHaveProperty('password');

    const credentials = { username: body.email, password: body.password };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
  });

  it('writes addresses in one way', async () => {
    const body = await api.make.registration();
    const email = ` ${String(body.email).toUpperCase()} `;
    const response = await api.nobody.post('/auth/register', { ...body, email });
    expect(response.json().email).toBe(body.email);
  });

  it('refuses an address that is taken', async () => {
    const { email } = await api.make.user();
    const body = { ...(await api.make.registration()), email: email.toUpperCase() };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(400);
    expect(response.json().code).toBe('email_taken');
  });

  it('makes one account of many requests for the same address', async () => {
    const { email } = await api.make.registration();
    const bodies = await Promise.all(Array.from({ length: 20 }, () => api.make.registration()));
    const statuses = await atOnce(20, (index) =>
      api.nobody.post('/auth/register', { ...bodies[index], email }),
    );
    expect(statuses).toEqual([201, ...times(19, 400)]);
  });

  it('names every field that is missing', async () => {
    const response = await api.nobody.post('/auth/register', {});
    expect(response.statusCode).toBe(422);
    const required = (Registration.required ?? []).map((name) => `#/${name}`);
    expect(pointers(response)).toEqual(required.toSorted());
  });

  it.each([
    ['shorter than 8 characters', 'ää ää ä'],
    ['longer than 72 bytes', 'ä'.repeat(37)],
  ])('refuses a password %s', async (_, chosen) => {
    const response = await api.nobody.post('/auth/register', {
      ...(await api.make.registration()),
      password: chosen,
    });
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/password']);
  });

  it('gives no roles', async () => {
    const body = { ...(await api.make.registration()), role: 'admin' };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/role']);
  });
});

describe('the current user', () => {
  it('is whose token it is', async () => {
    const client = await api.signIn();
    const response = await client.get('/auth/me');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id: client.user.id, email: client.user.email });
    expect(client.user).toMatchObject(response.json());
    expect(response.json()).not.toHaveProperty('password');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('changes what they say about themselves', async () => {
    const client = await api.signIn();
    const response = await client.patch('/auth/me', { name: 'Ada' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id: client.user.id, name: 'Ada' });
  });

  it('does not make themselves an admin', async () => {
    const client = await api.signIn();
    const response = await client.patch('/auth/me', { role: 'admin' });
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/role']);
  });
});

describe('change password', () => {
  it('sets the new password and ends the other logins', async () => {
    const here = await api.signIn();
    const there = await api.logIn(here.user);
    const change = { current_password: testPassword, password };
    expect((await here.post('/auth/change-password', change)).statusCode).toBe(204);
    expect((await refresh(there)).statusCode).toBe(401);
    expect((await refresh(here)).statusCode).toBe(200);
    const credentials = { username: here.user.email, password };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
  });

  it('asks for the current password', async () => {
    const client = await api.signIn();
    const change = { current_password: 'not the password', password };
    expect((await client.post('/auth/change-password', change)).statusCode).toBe(401);
    expect((await client.get('/auth/me')).statusCode).toBe(200);
  });

  it('refuses a password that will not do', async () => {
    const client = await api.signIn();
    const change = { current_password: testPassword, password: 'short' };
    const response = await client.post('/auth/change-password', change);
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/password']);
  });
});

describe('a user who is made on the command line', () => {
  const { app } = api;

  it('can log in', async () => {
    const { email, ...texts } = await api.make.registration();
    await createUserByHand({ ...texts, email, password, role: 'admin' }, app);
    expect((await logIn(String(email), password)).statusCode).toBe(200);
  });

  it('is checked as the API checks one', async () => {
    const texts = { ...(await api.make.registration()), email: 'no address', password: 'short' };
    const errors = ['#/email', '#/password'].map((pointer) => expect.objectContaining({ pointer }));
    const refused = { status: 422, errors: expect.arrayContaining(errors) };
    await expect(createUserByHand(texts, app)).rejects.toMatchObject(refused);
  });
});

describe('forgot password', () => {
  it('mails a link to an address that it knows', async () => {
    const { email } = await api.make.user();
    const headers = { host: 'evil.example' };
    await api.nobody.post('/auth/forgot-password', { email: email.toUpperCase() }, headers);
    await api.app.outbox.deliver();
    expect(api.mails).toEqual([
      { to: email, subject: expect.any(String), text: expect.any(String) },
    ]);
    expect(api.mails[0]?.text).toContain('https://blog.example.test/');
    expect(api.mails[0]?.text).not.toContain('evil.example');
  });

  it('answers the same for an address that it does not know', async () => {
    const { email } = await api.make.user();
    const known = await api.nobody.post('/auth/forgot-password', { email });
    const unknown = await api.nobody.post('/auth/forgot-password', {
      email: 'nobody@example.test',
    });
    await api.app.outbox.deliver();
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200]);
    expect(unknown.json()).toEqual(known.json());
    expect(api.mails.map(({ to }) => to)).toEqual([email]);
  });

  it('says whose token it is, as often as one asks', async () => {
    const { email } = await api.make.user();
    const token = await requestToken(email);
    expect((await validate(token)).json()).toEqual({ valid: true, email });
    expect((await validate(token)).statusCode).toBe(200);
    expect((await validate('nonsense')).statusCode).toBe(400);
  });
});

describe('reset password', () => {
  it('sets the new password and ends every login', async () => {
    const { user, refreshToken, ...client } = await api.signIn();
    const response = await reset(await requestToken(user.email));
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ message: expect.any(String) });
    expect((await logIn(user.email, testPassword)).statusCode).toBe(401);
    expect((await logIn(user.email, password)).statusCode).toBe(200);
    expect((await client.get('/auth/me')).statusCode).toBe(401);
    const refreshed = await api.nobody.post('/auth/refresh', { refresh_token: refreshToken });
    expect(refreshed.statusCode).toBe(401);
  });

  it('tells the user by mail', async () => {
    const { email } = await api.make.user();
    await reset(await requestToken(email));
    await api.app.outbox.deliver();
    expect(api.mails.map(({ to }) => to)).toEqual([email, email]);
  });

  it('takes a token once, and the newest alone', async () => {
    const { email } = await api.make.user();
    const older = await requestToken(email);
    const newer = await requestToken(email);
    const statuses = [await reset(older), await reset(newer), await reset(newer)];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([400, 200, 400]);
  });

  it('takes a token once, however many use it at the same time', async () => {
    const { email } = await api.make.user();
    const token = await requestToken(email);
    expect(await atOnce(20, () => reset(token))).toEqual([200, ...times(19, 400)]);
  });

  it('keeps the token when the password will not do', async () => {
    const { email } = await api.make.user();
    const token = await requestToken(email);
    expect((await reset(token, 'short')).statusCode).toBe(422);
    expect((await reset(token, 'ä'.repeat(37))).statusCode).toBe(422);
    expect((await reset(token)).statusCode).toBe(200);
  });

  it('refuses a token that is too old', async () => {
    const { email } = await api.make.user();
    const token = await requestToken(email);
    const past = { expires_at: new Date(Date.now() - 1000).toISOString() };
    await api.app.database.updateTable('auth_mailed_tokens').set(past).execute();
    expect((await validate(token)).statusCode).toBe(400);
    expect((await reset(token)).statusCode).toBe(400);
  });
});
