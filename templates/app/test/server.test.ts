import { describe, expect, it } from 'vitest';
import { startTestApp } from './app.ts';

const api = await startTestApp();

describe('the server', () => {
  it('says that it is alive and ready', async () => {
    expect((await api.nobody.get('/health/live')).statusCode).toBe(200);
    expect((await api.nobody.get('/health/ready')).statusCode).toBe(200);
  });

  it('says that it is not ready while it stops, and answers all the same', async () => {
    api.app.stopping.isAsked = true;
    const ready = await api.nobody.get('/health/ready');
    expect([ready.statusCode, ready.json().code]).toEqual([503, 'stopping']);
    expect(ready.headers['retry-after']).toBeDefined();
    expect((await api.nobody.get('/health/live')).statusCode).toBe(200);
    api.app.stopping.isAsked = false;
  });

  it('answers problems as RFC 9457 has them', async () => {
    const response = await api.nobody.get('/nowhere', { 'x-request-id': 'the-one' });
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.headers['x-request-id']).toBe('the-one');
    expect(response.json()).toMatchObject({
      type: expect.any(String),
      title: 'Not Found',
      status: 404,
      detail: expect.any(String),
      code: 'not_found',
      instance: '/nowhere',
      request_id: 'the-one',
    });
  });

  it('says which methods an address has', async () => {
    const response = await api.nobody.delete('/auth/token');
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toContain('POST');
  });

  it.each([
    ['broken JSON', 'application/json', '{"username": ', 422],
    ['another type', 'text/xml', '<username/>', 415],
    ['too much', 'application/json', JSON.stringify({ username: 'x'.repeat(300_000) }), 413],
    ['too deep', 'application/json', '['.repeat(1000) + ']'.repeat(1000), 422],
    ['half a character as a key', 'application/json', '{"\\ud800": 1}', 422],
    ['bytes that are not UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), 422],
  ])('refuses a body of %s', async (_, type, payload, status) => {
    const request = { method: 'POST' as const, url: '/auth/register', payload };
    const response = await api.nobody.send({ ...request, headers: { 'content-type': type } });
    expect(response.statusCode).toBe(status);
  });

  it('sets security headers and reveals no server banner', async () => {
    const { headers } = await api.nobody.get('/health/live');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['referrer-policy']).toBeDefined();
    expect(headers.server).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});
