import { describe, expect, it } from 'vitest';
import { startTestApp, times } from '../app.ts';

const api = await startTestApp({ RATE_LIMITS: 'on' });
const behindProxy = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' });

/** What anybody may ask for, and how often from one address. */
const limited = { url: '/auth/refresh', uses: 300 } as const;

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
