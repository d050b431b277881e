import type { InjectOptions } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { atOnce, type SignedIn, startTestApp, type TestApp, times } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp({ RATE_LIMITS: 'on' });
const behindProxy = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' });

afterEach(() => vi.useRealTimers());

const anywhere = '198.51.100.7';

/** Logs in from an address. */
const logIn = (username: string, password: string, remoteAddress = anywhere) =>
  api.nobody.send({
    method: 'POST',
    url: '/auth/token',
    remoteAddress,
    payload: { username, password },
  });

/** As many at the same time, each from an address of its own. */
const guess = (username: string, count: number) =>
  atOnce(count, (index) => logIn(username, 'not the password', `203.0.113.${index}`));

async function statusesOf(count: number, call: () => Promise<{ statusCode: number }>) {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await call()).statusCode);
  return statuses;
}

function passMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
}

describe('a password', () => {
  it('is guessed ten times, however many guess at the same time', async () => {
    const { email } = await api.make.user();
    expect(await guess(email, 60)).toEqual([...times(10, 401), ...times(50, 429)]);

    const blocked = await logIn(email, testPassword);
    expect(blocked.statusCode).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(30);
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
    expect((await logIn(email, testPassword)).statusCode).toBe(200);
  });

  it('is not locked for longer by a clock that was set back', async () => {
    const { email } = await api.make.user();
    await guess(email, 10);
    passMinutes(-6 * 24 * 60);
    expect((await logIn(email, testPassword)).statusCode).toBe(200);
  });

  it('is judged alike by servers whose clocks differ a little', async () => {
    const { email } = await api.make.user();
    passMinutes(0.5);
    expect((await logIn(email, 'not the password')).statusCode).toBe(401);
    vi.useRealTimers();
    expect((await logIn(email, testPassword)).statusCode).toBe(200);
  });

  it('counts right ones for nothing', async () => {
    const people = [await api.make.user(), await api.make.user(), await api.make.user()];
    await atOnce(98, (index) => logIn(`${index}@example.test`, 'guess'));
    const statuses: number[] = [];
    for (const { email } of people) statuses.push((await logIn(email, testPassword)).statusCode);
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('guesses of strangers', () => {
  it('do not lock out a user at an address that they logged in from before', async () => {
    const { email } = await api.make.user();
    await logIn(email, testPassword, '192.0.2.1');
    await guess(email, 20);
    expect((await logIn(email, testPassword)).statusCode).toBe(429);
    expect((await logIn(email, testPassword, '192.0.2.1')).statusCode).toBe(200);
  });

  it('do not lock out a login that asks for its own password', async () => {
    const ann = await api.signIn();
    await guess(ann.user.email, 20);
    const change = { current_password: testPassword, password: 'another good password' };
    expect((await ann.post('/auth/change-password', change)).statusCode).toBe(204);
  });

  it('do not lock out a user who resets the password', async () => {
    const { email } = await api.make.user();
    await api.nobody.post('/auth/forgot-password', { email });
    const token = await api.mailedToken(email);
    await guess(email, 20);
    const payload = { token, password: testPassword };
    await api.nobody.send({
      method: 'POST',
      url: '/auth/reset-password',
      remoteAddress: '192.0.2.1',
      payload,
    });
    await guess(email, 20);
    expect((await logIn(email, testPassword)).statusCode).toBe(429);
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
  it('to register are counted by address', async () => {
    const statuses = await statusesOf(61, () => api.nobody.post('/auth/register', {}));
    expect(statuses).toEqual([...times(60, 422), 429]);
  });

  it('for a reset mail a mailbox once a minute and five times an hour, and say so to nobody', async () => {
    const { email } = await api.make.user();
    const forget = () => api.nobody.post('/auth/forgot-password', { email });
    for (let minute = 0; minute < 10; minute += 1) {
      expect((await forget()).statusCode).toBe(200);
      expect((await forget()).statusCode).toBe(200);
      await api.app.outbox.deliver();
      passMinutes(1.1);
    }
    expect(api.mails.length).toBe(5);
  });
});

const ask = (client: SignedIn, email: string) =>
  client.post('/auth/change-email', { current_password: testPassword, email });

describe('a change of address', () => {
  it('is asked for five times an hour by a user, and thirty times from a network', async () => {
    const people = await Promise.all(times(6, 'user' as const).map((role) => api.signIn(role)));
    const statuses: number[] = [];
    for (const [index, client] of people.entries()) {
      for (let turn = 0; turn < 6; turn += 1) {
        statuses.push((await ask(client, `${index}-${turn}@example.test`)).statusCode);
      }
    }
    expect(statuses.slice(0, 30)).toEqual(times(5, [...times(5, 200), 429]).flat());
    expect(statuses.slice(30)).toEqual(times(6, 429));
    await api.app.outbox.deliver();
    expect(api.mails.filter(({ text }) => text.includes('/confirm-email')).length).toBe(25);
  });

  it('mails nobody more than five times an hour, and says so to nobody', async () => {
    const people = [await api.signIn(), await api.signIn()];
    for (const client of people) {
      for (let turn = 0; turn < 4; turn += 1) {
        expect((await ask(client, 'stranger@example.test')).statusCode).toBe(200);
        await api.app.outbox.deliver();
      }
    }
    expect(api.mails.filter(({ to }) => to === 'stranger@example.test').length).toBe(5);
  });

  it('takes no reset mail from whoever has the address', async () => {
    const [thief, { email }] = [await api.signIn(), await api.make.user()];
    for (let turn = 0; turn < 5; turn += 1) await ask(thief, email);
    await api.nobody.post('/auth/forgot-password', { email });
    expect(await api.mailedToken(email)).not.toBe('');
  });
});

const registerFrom = (app: TestApp, forwarded: string, remoteAddress = '10.0.0.9') =>
  app.nobody.send({
    method: 'POST',
    url: '/auth/register',
    remoteAddress,
    headers: { 'x-forwarded-for': forwarded },
    payload: {},
  } satisfies InjectOptions);

/** What is left of 60 registrations when others have used them up. */
async function statusAfter60(from: (index: number) => string, then: string): Promise<number> {
  for (let index = 0; index < 60; index += 1) await registerFrom(behindProxy, from(index));
  return (await registerFrom(behindProxy, then)).statusCode;
}

describe('behind a proxy', () => {
  it('on this machine or in this network, clients are told apart', async () => {
    expect(await statusAfter60(() => '198.51.100.1', '198.51.100.1')).toBe(429);
    expect((await registerFrom(behindProxy, '198.51.100.2', '127.0.0.1')).statusCode).toBe(422);
  });

  it('behind another one, the last address that neither wrote counts', async () => {
    const status = await statusAfter60(
      (index) => `192.0.2.${index}, 198.51.100.3, 10.1.1.1`,
      '192.0.2.99, 198.51.100.3, 10.1.1.1',
    );
    expect(status).toBe(429);
  });

  it('that adds the port, it is left out', async () => {
    const status = await statusAfter60((index) => `198.51.100.4:${4000 + index}`, '198.51.100.4:1');
    expect(status).toBe(429);
  });

  it('and another one that adds its own port, neither is the client', async () => {
    const status = await statusAfter60(
      (index) => `198.51.100.5:${4000 + index}, 10.1.1.1:${5000 + index}`,
      '198.51.100.5:1, 10.1.1.1:1',
    );
    expect(status).toBe(429);
    const other = await registerFrom(behindProxy, '198.51.100.6:1, 10.1.1.1:1');
    expect(other.statusCode).toBe(422);
  });

  it('that is not configured, nobody is believed', async () => {
    const statuses = [];
    for (let index = 0; index < 61; index += 1) {
      statuses.push((await registerFrom(api, `198.51.100.${index}`)).statusCode);
    }
    expect(statuses).toEqual([...times(60, 422), 429]);
  });
});
