import { describe, expect, it } from 'vitest';
import { createUserByHand } from '../../src/create-user.ts';
import { Registration } from '../../src/auth/schema.ts';
import { atOnce, pointers, pointersTo, startTestApp, times } from '../app.ts';
import { testPassword } from '../factory.ts';
import { accounts, newPassword } from './accounts.ts';

const api = await startTestApp({ PUBLIC_URL: 'https://blog.example.test' });
const { register, logIn, refresh, changePassword, forget, reset } = accounts(api);
const validate = (token: string) => api.nobody.post('/auth/forgot-password/validate', { token });

describe('register', () => {
  it('makes an account that can log in', async () => {
    const body = { ...(await api.make.registration()), name: 'Ada' };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ name: 'Ada', email: body.email, role: 'user' });
    expect(response.body).not.toContain(String(body.password));
    expect(response.json()).not.toHaveProperty('password');
    expect((await logIn(String(body.email), body.password)).statusCode).toBe(200);
  });

  it('writes addresses in one way', async () => {
    const response = await register({ email: ' ANN@Example.Test ' });
    expect(response.json().email).toBe('ann@example.test');
  });

  it('refuses an address that is taken', async () => {
    const { email } = await api.make.user();
    const response = await register({ email: email.toUpperCase() });
    expect([response.statusCode, response.json().code]).toEqual([400, 'email_taken']);
  });

  it('makes one account of many requests for the same address', async () => {
    const statuses = await atOnce(20, () => register({ email: 'ann@example.test' }));
    expect(statuses).toEqual([201, ...times(19, 400)]);
  });

  it('names every field that is missing', async () => {
    const response = await api.nobody.post('/auth/register', {});
    const missing = pointersTo(Registration.required ?? []);
    expect([response.statusCode, pointers(response)]).toEqual([422, missing]);
  });

  it.each([
    ['a password shorter than 8 characters', { password: 'ää ää ä' }],
    ['a password longer than 72 bytes', { password: 'ä'.repeat(37) }],
    ['an address that is too long in lower case', { email: `${'İ'.repeat(130)}@example.test` }],
    ['half a character', { name: '\ud800' }],
    ['a role', { role: 'admin' }],
  ])('refuses %s', async (_, wrong) => {
    const response = await register(wrong);
    const fields = pointersTo(Object.keys(wrong));
    expect([response.statusCode, pointers(response)]).toEqual([422, fields]);
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

  it.each(['role', 'email'])('does not change their own %s', async (name) => {
    const admin = await api.signIn('admin');
    const response = await admin.patch('/auth/me', { [name]: 'user@example.test' });
    expect([response.statusCode, pointers(response)]).toEqual([422, [`#/${name}`]]);
  });
});

describe('change password', () => {
  it('sets the new password and ends the other logins', async () => {
    const here = await api.signIn();
    const there = await api.logIn(here.user);
    expect((await changePassword(here)).statusCode).toBe(204);
    expect((await refresh(there)).statusCode).toBe(401);
    expect((await refresh(here)).statusCode).toBe(200);
    expect((await logIn(here.user.email, newPassword)).statusCode).toBe(200);
  });

  it('asks for the current password', async () => {
    const client = await api.signIn();
    const response = await changePassword(client, newPassword, 'not the password');
    expect(response.statusCode).toBe(401);
    expect((await client.get('/auth/me')).statusCode).toBe(200);
  });

  it('refuses a password that will not do', async () => {
    const response = await changePassword(await api.signIn(), 'short');
    expect([response.statusCode, pointers(response)]).toEqual([422, ['#/password']]);
  });
});

describe('a user who is made on the command line', () => {
  const { app } = api;

  it('can log in', async () => {
    const { email, ...texts } = await api.make.registration();
    await createUserByHand({ ...texts, email, password: newPassword, role: 'admin' }, app);
    expect((await logIn(String(email), newPassword)).statusCode).toBe(200);
  });

  it('is checked as the API checks one', async () => {
    const wrong = { email: 'no address', password: 'short' };
    const texts = { ...(await api.make.registration()), ...wrong };
    const errors = Object.keys(wrong).map((name) =>
      expect.objectContaining({ pointer: `#/${name}` }),
    );
    const refused = { status: 422, errors: expect.arrayContaining(errors) };
    await expect(createUserByHand(texts, app)).rejects.toMatchObject(refused);
  });
});

describe('forgot password', () => {
  it('mails a link to an address that it knows, and answers all alike', async () => {
    const { email } = await api.make.user();
    const answers = [];
    for (const address of [email.toUpperCase(), 'nobody@example.test']) {
      const headers = { host: 'evil.example' };
      const answer = await api.nobody.post('/auth/forgot-password', { email: address }, headers);
      answers.push([answer.statusCode, answer.json()]);
    }
    expect(answers).toEqual(times(2, [200, { message: expect.any(String) }]));
    expect(answers[1]).toEqual(answers[0]);
    await api.app.outbox.deliver();
    expect(api.mails.map(({ to }) => to)).toEqual([email]);
    expect(api.mails[0]?.text).toContain('https://blog.example.test/');
    expect(api.mails[0]?.text).not.toContain('evil.example');
  });

  it('says whose token it is, as often as one asks, and keeps its hash alone', async () => {
    const { email } = await api.make.user();
    const token = await forget(email);
    expect((await validate(token)).json()).toEqual({ valid: true, email });
    expect((await validate(token)).statusCode).toBe(200);
    expect((await validate('nonsense')).statusCode).toBe(400);
    const kept = await api.app.database.selectFrom('auth_mailed_tokens').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});

describe('reset password', () => {
  it('sets the new password, ends every login and tells the user by mail', async () => {
    const client = await api.signIn();
    const { email } = client.user;
    const response = await reset(await forget(email));
    expect([response.statusCode, response.json()]).toEqual([200, { message: expect.any(String) }]);
    expect((await logIn(email, testPassword)).statusCode).toBe(401);
    expect((await logIn(email, newPassword)).statusCode).toBe(200);
    expect((await client.get('/auth/me')).statusCode).toBe(401);
    expect((await refresh(client)).statusCode).toBe(401);
    await api.app.outbox.deliver();
    expect(api.mails.map(({ to }) => to)).toEqual([email, email]);
  });

  it('takes a token once, and the newest alone', async () => {
    const { email } = await api.make.user();
    const [older, newer] = [await forget(email), await forget(email)];
    const answers = [await reset(older), await reset(newer), await reset(newer)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 200, 400]);
  });

  it('takes a token once, however many use it at the same time', async () => {
    const token = await forget((await api.make.user()).email);
    expect(await atOnce(20, () => reset(token))).toEqual([200, ...times(19, 400)]);
  });

  it('keeps the token when the password will not do', async () => {
    const token = await forget((await api.make.user()).email);
    expect((await reset(token, 'short')).statusCode).toBe(422);
    expect((await reset(token, 'ä'.repeat(37))).statusCode).toBe(422);
    expect((await reset(token)).statusCode).toBe(200);
  });

  it('refuses a token that is too old', async () => {
    const token = await forget((await api.make.user()).email);
    const past = { expires_at: new Date(Date.now() - 1000).toISOString() };
    await api.app.database.updateTable('auth_mailed_tokens').set(past).execute();
    expect((await validate(token)).statusCode).toBe(400);
    expect((await reset(token)).statusCode).toBe(400);
  });
});
