import { describe, expect, it } from 'vitest';
import { startTestApp } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp({ RATE_LIMITS: 'on' });

async function statusesOf(count: number, call: () => Promise<{ statusCode: number }>) {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await call()).statusCode);
  return statuses;
}

describe('rate limits', () => {
  it('make an account wait after ten wrong passwords', async () => {
    const [victim, other] = [await api.make.user(), await api.make.user()];
    const logIn = (username: string, password: string) =>
      api.nobody.post('/auth/token', { username, password });
    const statuses = await statusesOf(10, () => logIn(victim.email, 'not the password'));
    expect(statuses).toEqual(statuses.map(() => 401));

    const blocked = await logIn(victim.email, testPassword);
    expect(blocked.statusCode).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn(other.email, testPassword)).statusCode).toBe(200);
  });

  it('count registrations by address', async () => {
    const statuses = await statusesOf(61, () => api.nobody.post('/auth/register', {}));
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 422));
    expect(statuses[60]).toBe(429);
  });

  it('mail a mailbox once a minute, and say so to nobody', async () => {
    const { email } = await api.make.user();
    const statuses = await statusesOf(3, () => api.nobody.post('/auth/forgot-password', { email }));
    await api.app.outbox.deliver();
    expect(statuses).toEqual([200, 200, 200]);
    expect(api.mails.length).toBe(1);
  });
});
