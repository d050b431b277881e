import { afterEach, describe, expect, it, vi } from 'vitest';
import { Busy } from '../../src/database/errors.ts';
import { atOnce, startTestApp, times } from '../app.ts';
import { testPassword } from '../factory.ts';
import { accounts } from './accounts.ts';

const api = await startTestApp({ RATE_LIMITS: 'on' });
const behindProxy = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' });

afterEach(() => vi.useRealTimers());

const { forget, changeEmail, changePassword } = accounts(api);

const postFrom = (remoteAddress: string, url: string, payload: object) =>
  api.nobody.send({ method: 'POST', url, remoteAddress, payload });

const logIn = (username: string, password = testPassword, from = '198.51.100.7') =>
  postFrom(from, '/auth/token', { username, password });

/** As many at the same time, each from an address of its own. */
const guess = (username: string, count: number) =>
  atOnce(count, (index) => logIn(username, 'not the password', `203.0.113.${index}`));

function passMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
}

describe('a password', () => {
  it('can be guessed only ten times, even in parallel', async () => {
    const { email } = await api.make.user();
    expect(await guess(email, 60)).toEqual([...times(10, 401), ...times(50, 429)]);

    const blocked = await logIn(email, testPassword);
    expect(blocked.statusCode).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(30);
  });

  it('is not guessed by a login for which the server was too busy', async () => {
    const { email } = await api.make.user();
    vi.spyOn(api.app.hasher, 'verify').mockRejectedValue(new Busy());
    for (let at = 0; at < 11; at++) expect((await logIn(email)).statusCode).toBe(503);
    vi.restoreAllMocks();
    expect((await logIn(email)).statusCode).toBe(200);
  });

  it('is guessed as often where there is no account', async () => {
    expect(await guess('nobody@example.test', 12)).toEqual([...times(10, 401), ...times(2, 429)]);
  });

  it('may be tried again later: the wait doubles, up to 15 minutes', async () => {
    const { email } = await api.make.user();
    await guess(email, 10);
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const refused = await logIn(email, 'not the password');
      waits.push(Number(refused.headers['retry-after']));
      passMinutes(15);
      expect((await logIn(email, 'not the password')).statusCode).toBe(401);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
    passMinutes(15);
    expect((await logIn(email)).statusCode).toBe(200);
  });

  it('is not locked for longer by a clock that was set back', async () => {
    const { email } = await api.make.user();
    await guess(email, 10);
    passMinutes(-6 * 24 * 60);
    expect((await logIn(email)).statusCode).toBe(200);
  });

  it('is judged alike by servers whose clocks differ a little', async () => {
    const { email } = await api.make.user();
    passMinutes(0.5);
    expect((await logIn(email, 'not the password')).statusCode).toBe(401);
    vi.useRealTimers();
    expect((await logIn(email)).statusCode).toBe(200);
  });

  it('does not count as a guess when it is correct', async () => {
    const people = [await api.make.user(), await api.make.user(), await api.make.user()];
    await atOnce(98, (index) => logIn(`${index}@example.test`, 'guess'));
    const statuses: number[] = [];
    for (const { email } of people) statuses.push((await logIn(email)).statusCode);
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('guesses of strangers', () => {
  it('do not lock out a user at an address that they logged in from before', async () => {
    const { email } = await api.make.user();
    await logIn(email, testPassword, '192.0.2.1');
    await guess(email, 20);
    expect((await logIn(email)).statusCode).toBe(429);
    expect((await logIn(email, testPassword, '192.0.2.1')).statusCode).toBe(200);
  });

  it('do not lock out a login that asks for its own password', async () => {
    const ann = await api.signIn();
    await guess(ann.user.email, 20);
    expect((await changePassword(ann)).statusCode).toBe(204);
  });

  it('do not lock out a user who resets the password', async () => {
    const { email } = await api.make.user();
    const token = await forget(email);
    await guess(email, 20);
    await postFrom('192.0.2.1', '/auth/reset-password', { token, password: testPassword });
    await guess(email, 20);
    expect((await logIn(email)).statusCode).toBe(429);
    expect((await logIn(email, testPassword, '192.0.2.1')).statusCode).toBe(200);
  });

  it('from one network are a hundred in all, whosever account', async () => {
    const { email } = await api.make.user();
    const statuses = await atOnce(110, (index) =>
      logIn(`${index}@example.test`, 'guess', `2001:db8:0:1::${index.toString(16)}`),
    );
    expect(statuses).toEqual([...times(100, 401), ...times(10, 429)]);
    expect((await logIn(email, testPassword, '2001:db8:0:1:ffff::1')).statusCode).toBe(429);
    expect((await logIn(email, testPassword, '2001:db8:0:2::1')).statusCode).toBe(200);
  });
});

describe('requests', () => {
  it('for a reset mail a mailbox once a minute and five times an hour, and say so to nobody', async () => {
    const { email } = await api.make.user();
    const sent: number[] = [];
    for (let minute = 0; minute < 7; minute += 1) {
      for (const body of times(2, { email })) {
        expect((await api.nobody.post('/auth/forgot-password', body)).statusCode).toBe(200);
      }
      await api.app.outbox.deliver();
      sent.push(api.mails.length);
      passMinutes(1.1);
    }
    expect(sent).toEqual([1, 2, 3, 4, 5, 5, 5]);
  });
});

describe('a change of address', () => {
  it('is asked for five times an hour by a user, and thirty times from a network', async () => {
    const people = await Promise.all(times(6, 'user' as const).map((role) => api.signIn(role)));
    const statuses: number[] = [];
    for (const [index, client] of people.entries()) {
      for (let turn = 0; turn < 6; turn += 1) {
        statuses.push((await changeEmail(client, `${index}-${turn}@example.test`)).statusCode);
      }
    }
    expect(statuses.slice(0, 30)).toEqual(times(5, [...times(5, 200), 429]).flat());
    expect(statuses.slice(30)).toEqual(times(6, 429));
    await api.app.outbox.deliver();
    expect(api.mails.filter(({ text }) => text.includes('/confirm-email')).length).toBe(25);
  });

  it('mails nobody more than five times an hour, and says so to nobody', async () => {
    for (const client of [await api.signIn(), await api.signIn()]) {
      for (const email of times(4, 'stranger@example.test')) {
        expect((await changeEmail(client, email)).statusCode).toBe(200);
        await api.app.outbox.deliver();
      }
    }
    expect(api.mails.filter(({ to }) => to === 'stranger@example.test').length).toBe(5);
  });

  it('takes no reset mail from whoever has the address', async () => {
    const [thief, { email }] = [await api.signIn(), await api.make.user()];
    for (const wanted of times(5, email)) await changeEmail(thief, wanted);
    expect(await forget(email)).not.toBe('');
  });
});

/** What anybody may ask for, and how often from one address. */
const limited = { url: '/auth/register', uses: 60 } as const;

describe('a client', () => {
  it.each([
    ['behind a proxy', behindProxy, () => '198.51.100.1', 422],
    ['behind two', behindProxy, (at: number) => `192.0.2.${at}, 198.51.100.1, 10.1.1.1`, 422],
    ['behind one that adds ports', behindProxy, (at: number) => `198.51.100.1:${4000 + at}`, 422],
    [
      'behind two that add ports',
      behindProxy,
      (at: number) => `198.51.100.1:${4000 + at}, 10.1.1.1:${5000 + at}`,
      422,
    ],
    ['who only says to be behind one', api, (at: number) => `198.51.100.${at}`, 429],
  ])('%s is counted by their own address', async (_, { nobody }, from, other) => {
    const ask = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      const request = { method: 'POST' as const, url: limited.url, headers, payload: {} };
      return (await nobody.send({ ...request, remoteAddress: '10.0.0.9' })).statusCode;
    };
    const statuses: number[] = [];
    for (let at = 0; at < limited.uses; at += 1) statuses.push(await ask(from(at)));
    expect(statuses).toEqual(times(limited.uses, 422));
    expect([await ask(from(99)), await ask('198.51.100.200')]).toEqual([429, other]);
  });
});
