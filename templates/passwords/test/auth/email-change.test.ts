import { afterEach, describe, expect, it, vi } from 'vitest';
import { queueEmail } from '../../src/mail/outbox.ts';
import { findCredentials } from '../../src/users/credentials.ts';
import { updateUser } from '../../src/users/queries.ts';
import { atOnce, type SignedIn, startTestApp, times } from '../app.ts';
import { accounts, newPassword } from './accounts.ts';

const api = await startTestApp({ PUBLIC_URL: 'https://blog.example.test' });
const { register, logIn, refresh, reset, changePassword, changeEmail, confirm, revert } =
  accounts(api);

afterEach(() => vi.useRealTimers());

/** The mails to an address, oldest first. */
async function mailsTo(address: string): Promise<readonly string[]> {
  await api.app.outbox.deliver();
  return api.mails.filter(({ to }) => to === address).map(({ text }) => text);
}

/** A user who has asked for a new address, and the token to confirm it. */
async function asked(email = 'new@example.test') {
  const ann = await api.signIn();
  await changeEmail(ann, email);
  return { ann, token: await api.mailedToken(email) };
}

/** A user whose address somebody else has changed, and the token to take it back. */
async function changed() {
  const { ann, token } = await asked('thief@example.test');
  await confirm(token);
  return { ann, token: await api.mailedToken(ann.user.email) };
}

/** The thief goes on to a second address: the token to take that back. */
async function changedAgain({ user }: SignedIn): Promise<string> {
  const thief = await api.logIn({ ...user, email: 'thief@example.test' });
  await changeEmail(thief, 'far-away@example.test');
  await confirm(await api.mailedToken('far-away@example.test'));
  return api.mailedToken('thief@example.test');
}

function passDays(days: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
}

async function emailOf({ user }: SignedIn): Promise<string | undefined> {
  return (await findCredentials(api.app.database, user.id))?.email;
}

describe('a change of address', () => {
  it('waits until the new address is confirmed, and notifies the old one', async () => {
    const ann = await api.signIn();
    const response = await changeEmail(ann, ' New@Example.Test ');
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
    const response = await changeEmail(ann, 'thief@example.test', 'not the password');
    expect(response.statusCode).toBe(401);
    expect(await mailsTo('thief@example.test')).toEqual([]);
  });

  it('ends every login but the one that asked for it', async () => {
    const { ann: here, token } = await asked();
    const there = await api.logIn(here.user);
    await confirm(token);
    expect((await there.get('/auth/me')).statusCode).toBe(401);
    expect((await refresh(there)).statusCode).toBe(401);
    expect((await refresh(here)).statusCode).toBe(200);
  });

  it('takes a token once, however many use it at the same time', async () => {
    const { token } = await asked();
    expect(await atOnce(20, () => confirm(token))).toEqual([200, ...times(19, 400)]);
  });

  it('is cancelled by a new password that comes before the mail is sent', async () => {
    const ann = await api.signIn();
    const before = await findCredentials(api.app.database, ann.user.id);
    await changePassword(ann);
    await queueEmail(api.app.database, {
      to: 'new@example.test',
      template: 'confirm_email',
      payload: { token_version: before?.token_version ?? 0, session: '' },
      userId: ann.user.id,
    });
    expect(await mailsTo('new@example.test')).toEqual([]);
  });

  it('is cancelled by a new password that comes before the confirmation', async () => {
    const { ann, token } = await asked();
    await changePassword(ann);
    expect((await confirm(token)).statusCode).toBe(400);
    expect(await emailOf(ann)).toBe(ann.user.email);
  });

  it('does not say whether an address is taken', async () => {
    const [ann, ben] = [await api.signIn(), await api.make.user()];
    const [taken, free] = [
      await changeEmail(ann, ben.email),
      await changeEmail(ann, 'new@example.test'),
    ];
    expect([taken.statusCode, taken.json()]).toEqual([free.statusCode, free.json()]);
    expect(await mailsTo(ben.email)).toEqual([]);
  });

  it('refuses an address that was taken meanwhile', async () => {
    const { ann, token } = await asked();
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

    expect((await reset(await api.mailedToken(ann.user.email))).statusCode).toBe(200);
    expect((await logIn(ann.user.email, newPassword)).statusCode).toBe(200);
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
    const response = await register({ email: ann.user.email });
    expect([response.statusCode, response.json().code]).toEqual([400, 'email_taken']);
    expect((await revert(token)).statusCode).toBe(200);
  });

  it('takes a change back once, and no token does the work of another', async () => {
    const { ann, token: confirming } = await asked();
    expect((await revert(confirming)).statusCode).toBe(400);
    await confirm(confirming);
    const reverting = await api.mailedToken(ann.user.email);
    expect((await confirm(reverting)).statusCode).toBe(400);
    const statuses = [await revert(reverting), await revert(reverting), await revert('nonsense')];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 400, 400]);
  });
});
