import { afterEach, describe, expect, it, vi } from 'vitest';
import { queueEmail } from '../../src/mail/outbox.ts';
import { findCredentials } from '../../src/users/credentials.ts';
import { updateUser } from '../../src/users/queries.ts';
import { users } from '../../src/users/schema.ts';
import { atOnce, type SignedIn, startTestApp, times } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp({ PUBLIC_URL: 'https://blog.example.test' });

afterEach(() => vi.useRealTimers());

/** Where the API has a user, `/api/users/{id}`; nothing when it changes none. */
const [userPath = ''] =
  Object.entries(api.app.swagger().paths ?? {}).find(
    ([, item]) => Object(item).patch?.operationId === 'updateUser',
  ) ?? [];
const pathOf = ({ id }: { readonly id: number | string }) => userPath.replace('{id}', String(id));

/** The mails to an address, oldest first. */
async function mailsTo(address: string): Promise<readonly string[]> {
  await api.app.outbox.deliver();
  return api.mails.filter(({ to }) => to === address).map(({ text }) => text);
}

const ask = (client: SignedIn, email: string, current_password = testPassword) =>
  client.post('/auth/change-email', { current_password, email });
const confirm = (token: string) => api.nobody.post('/auth/change-email/confirm', { token });
const revert = (token: string) => api.nobody.post('/auth/change-email/revert', { token });
const refresh = ({ refreshToken }: SignedIn) =>
  api.nobody.post('/auth/refresh', { refresh_token: refreshToken });

const logIn = (username: string) =>
  api.nobody.post('/auth/token', { username, password: testPassword });

/** A user whose address somebody else has changed, and the token to take it back. */
async function changed() {
  const ann = await api.signIn();
  await ask(ann, 'thief@example.test');
  await confirm(await api.mailedToken('thief@example.test'));
  return { ann, token: await api.mailedToken(ann.user.email) };
}

/** The thief goes on to a second address: the token to take that back. */
async function changedAgain({ user }: SignedIn): Promise<string> {
  const thief = await api.logIn({ ...user, email: 'thief@example.test' });
  await ask(thief, 'far-away@example.test');
  await confirm(await api.mailedToken('far-away@example.test'));
  return api.mailedToken('thief@example.test');
}

function passDays(days: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
}

async function emailOf(client: SignedIn): Promise<string> {
  const row = await api.app.database
    .selectFrom(users.table)
    .select('email')
    .where('id', '=', client.user.id)
    .executeTakeFirstOrThrow();
  return row.email;
}

describe('a change of address', () => {
  it('waits until the new address is confirmed, and the old one hears of it', async () => {
    const ann = await api.signIn();
    const response = await ask(ann, ' New@Example.Test ');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      message: 'A mail is on its way to the new address, to confirm it.',
    });
    expect(await emailOf(ann)).toBe(ann.user.email);
    expect(await mailsTo('new@example.test')).toEqual([
      expect.stringContaining('https://blog.example.test/confirm-email?token='),
    ]);
    expect(await mailsTo(ann.user.email)).toEqual([expect.stringContaining('new@example.test')]);

    const confirmed = await confirm(await api.mailedToken('new@example.test'));
    expect(confirmed.statusCode).toBe(200);
    expect(confirmed.json()).toEqual({ message: 'The address is changed.' });
    expect(await emailOf(ann)).toBe('new@example.test');
    expect((await logIn('new@example.test')).statusCode).toBe(200);
    expect((await logIn(ann.user.email)).statusCode).toBe(401);
  });

  it('asks for the password', async () => {
    const ann = await api.signIn();
    expect((await ask(ann, 'thief@example.test', 'not the password')).statusCode).toBe(401);
    expect(await mailsTo('thief@example.test')).toEqual([]);
  });

  it('is not made in passing, by nobody for themselves', async () => {
    const admin = await api.signIn('admin');
    for (const path of ['/auth/me', ...(userPath === '' ? [] : [pathOf(admin.user)])]) {
      const response = await admin.patch(path, { email: 'thief@example.test' });
      expect([path, response.statusCode]).toEqual([path, 422]);
    }
    expect(await emailOf(admin)).toBe(admin.user.email);
  });

  it.skipIf(userPath === '')(
    'by an admin is reported to the old one, with no way back',
    async () => {
      const [admin, ann] = [await api.signIn('admin'), await api.signIn()];
      const response = await admin.patch(pathOf(ann.user), { email: 'new@example.test' });
      expect(response.statusCode).toBe(200);
      const mails = await mailsTo(ann.user.email);
      expect(mails).toEqual([expect.stringContaining('new@example.test')]);
      expect(mails.join()).not.toContain('token=');
      expect((await ann.get('/auth/me')).statusCode).toBe(401);
    },
  );

  it('ends every login but the one that asked for it', async () => {
    const here = await api.signIn();
    const there = await api.logIn(here.user);
    await ask(here, 'new@example.test');
    await confirm(await api.mailedToken('new@example.test'));
    expect((await there.get('/auth/me')).statusCode).toBe(401);
    expect((await refresh(there)).statusCode).toBe(401);
    expect((await refresh(here)).statusCode).toBe(200);
  });

  it('takes a token once, however many use it at the same time', async () => {
    const ann = await api.signIn();
    await ask(ann, 'new@example.test');
    const token = await api.mailedToken('new@example.test');
    expect(await atOnce(20, () => confirm(token))).toEqual([200, ...times(19, 400)]);
  });

  it('is over when the password is changed before the mail was sent', async () => {
    const ann = await api.signIn();
    const before = await findCredentials(api.app.database, ann.user.id);
    const change = { current_password: testPassword, password: 'another good password' };
    await ann.post('/auth/change-password', change);
    await queueEmail(api.app.database, {
      to: 'new@example.test',
      template: 'confirm_email',
      payload: { token_version: before?.token_version ?? 0, session: '' },
      userId: ann.user.id,
    });
    expect(await mailsTo('new@example.test')).toEqual([]);
  });

  it('is over when the password is changed before it is confirmed', async () => {
    const ann = await api.signIn();
    await ask(ann, 'new@example.test');
    const token = await api.mailedToken('new@example.test');
    const change = { current_password: testPassword, password: 'another good password' };
    await ann.post('/auth/change-password', change);
    expect((await confirm(token)).statusCode).toBe(400);
    expect(await emailOf(ann)).toBe(ann.user.email);
  });

  it('does not say whether an address is taken', async () => {
    const [ann, ben] = [await api.signIn(), await api.make.user()];
    const [taken, free] = [await ask(ann, ben.email), await ask(ann, 'new@example.test')];
    expect([taken.statusCode, taken.json()]).toEqual([free.statusCode, free.json()]);
    expect(await mailsTo(ben.email)).toEqual([]);
  });

  it('refuses an address that was taken meanwhile', async () => {
    const ann = await api.signIn();
    await ask(ann, 'new@example.test');
    const token = await api.mailedToken('new@example.test');
    await api.make.user({ email: 'new@example.test' });
    const response = await confirm(token);
    expect([response.statusCode, response.json().code]).toEqual([400, 'email_taken']);
    expect(await emailOf(ann)).toBe(ann.user.email);
  });
});

describe('the old address', () => {
  it('takes the change back; the password that the thief knew is void', async () => {
    const { ann, token } = await changed();
    const response = await revert(token);
    expect(response.statusCode).toBe(200);
    expect(await emailOf(ann)).toBe(ann.user.email);
    expect((await refresh(ann)).statusCode).toBe(401);
    expect((await logIn(ann.user.email)).statusCode).toBe(401);

    const reset = { token: await api.mailedToken(ann.user.email), password: testPassword };
    expect((await api.nobody.post('/auth/reset-password', reset)).statusCode).toBe(200);
    expect((await logIn(ann.user.email)).statusCode).toBe(200);
  });

  it('takes it back after a second change, too, which nobody can any more after that', async () => {
    const { ann, token } = await changed();
    const late = await changedAgain(ann);
    expect((await revert(token)).statusCode).toBe(200);
    expect((await revert(late)).statusCode).toBe(400);
    expect(await emailOf(ann)).toBe(ann.user.email);
    expect((await mailsTo('far-away@example.test')).at(-1)).toContain(ann.user.email);
  });

  it('has as much time as the addresses after it', async () => {
    const { ann, token } = await changed();
    passDays(5);
    await changedAgain(ann);
    passDays(5);
    expect((await revert(token)).statusCode).toBe(200);
  });

  it('is mailed no link when the account has returned to an earlier one by then', async () => {
    const { ann, token } = await changed();
    await changedAgain(ann);
    await revert(token);
    const payload = { email: 'far-away@example.test' };
    const late = { to: 'thief@example.test', template: 'email_changed', payload } as const;
    await queueEmail(api.app.database, { ...late, userId: ann.user.id });
    const notice = (await mailsTo('thief@example.test')).at(-1);
    expect(notice).toContain('far-away@example.test');
    expect(notice).not.toContain('token=');
  });

  it('has no link any more when an admin has changed the address', async () => {
    const { ann, token } = await changed();
    const late = await changedAgain(ann);
    const viewer = await api.make.user({ role: 'admin' });
    const values = Object({ email: ann.user.email });
    await updateUser(api.app.database, { viewer, id: ann.user.id }, values);
    expect([(await revert(token)).statusCode, (await revert(late)).statusCode]).toEqual([400, 400]);
    expect(await emailOf(ann)).toBe(ann.user.email);
  });

  it('is registered by nobody else before', async () => {
    const { ann, token } = await changed();
    const body = { ...(await api.make.registration()), email: ann.user.email };
    const response = await api.nobody.post('/auth/register', body);
    expect([response.statusCode, response.json().code]).toEqual([400, 'email_taken']);
    expect((await revert(token)).statusCode).toBe(200);
  });

  it('takes a change back once, and no token does the work of another', async () => {
    const ann = await api.signIn();
    await ask(ann, 'new@example.test');
    const confirming = await api.mailedToken('new@example.test');
    expect((await revert(confirming)).statusCode).toBe(400);
    await confirm(confirming);
    const reverting = await api.mailedToken(ann.user.email);
    expect((await confirm(reverting)).statusCode).toBe(400);
    const statuses = [await revert(reverting), await revert(reverting), await revert('nonsense')];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 400, 400]);
  });
});

describe.skipIf(userPath === '')('the last admin', () => {
  it('stays one', async () => {
    const admin = await api.signIn('admin');
    const own = pathOf(admin.user);
    const demoted = await admin.patch(own, { role: 'user' });
    const deleted = await admin.delete(own);
    expect([demoted.statusCode, demoted.json().code]).toEqual([409, 'last_admin']);
    expect([deleted.statusCode, deleted.json().code]).toEqual([409, 'last_admin']);
    expect((await admin.get('/auth/me')).json().role).toBe('admin');

    await api.make.user({ role: 'admin' });
    expect((await admin.patch(own, { role: 'user' })).statusCode).toBe(200);
  });

  it('stays one when two admins demote each other at once', async () => {
    const [ann, ben] = [await api.signIn('admin'), await api.signIn('admin')];
    const responses = await Promise.all([
      ann.patch(pathOf(ben.user), { role: 'user' }),
      ben.patch(pathOf(ann.user), { role: 'user' }),
    ]);
    const roles = await api.app.database.selectFrom(users.table).select('role').execute();
    expect(responses.map(({ statusCode }) => statusCode)).toContain(200);
    expect(roles.map(({ role }) => role)).toContain('admin');
  });
});
