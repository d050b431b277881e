import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { inspect, migrate, readStatus } from '../src/database/migrate.ts';
import { seed } from '../seeds/seed.ts';
import { Role } from '../src/enums.ts';
import { readDocument, startTestApp } from './app.ts';
import { testPassword } from './factory.ts';

const api = await startTestApp();
const { config, database } = api.app;
const document = readDocument(api.app);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

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
    ['broken JSON', 'application/json', '{"username": ', 'malformed_body'],
    ['another type', 'text/xml', '<username/>', 'unsupported_media_type'],
    ['too much', 'application/json', JSON.stringify('x'.repeat(300_000)), 'body_too_large'],
    ['too deep', 'application/json', '['.repeat(1000) + ']'.repeat(1000), 'malformed_body'],
    ['half a character as a key', 'application/json', '{"\\ud800": 1}', 'validation_error'],
    ['bytes that are not UTF-8', 'application/json', Buffer.of(0x22, 0xff, 0x22), 'malformed_body'],
  ])('refuses a body of %s', async (_, type, payload, code) => {
    const request = { method: 'POST' as const, url: '/auth/register', payload };
    const response = await api.nobody.send({ ...request, headers: { 'content-type': type } });
    expect(response.json().code).toBe(code);
  });

  it.each([
    [500, new Error('a secret')],
    [502, Object.assign(new Error('a secret'), { statusCode: 502 })],
  ])('says nothing of what went wrong inside: %i', async (status, error) => {
    vi.spyOn(api.app.hasher, 'verify').mockRejectedValueOnce(error);
    const payload = { username: 'ann@example.test', password: testPassword };
    const response = await api.app.inject({ method: 'POST', url: '/auth/token', payload });
    expect(response.statusCode).toBe(status);
    expect(response.body).not.toContain('secret');
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

/** Every schema of the document is answered in all other tests: `test/app.ts`. */
describe('the OpenAPI document', () => {
  it('is served as version 3.1', async () => {
    const response = await api.nobody.get('/openapi.json');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(document);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('names each operation once, with a summary and a tag', () => {
    const named = operations.filter(({ operationId }) => operationId !== undefined);
    expect(new Set(named.map(({ operationId }) => operationId)).size).toBe(named.length);
    for (const { path, method, summary, tags } of named) {
      expect([path, method, typeof summary, tags?.length]).toEqual([path, method, 'string', 1]);
    }
  });

  it('declares every part of an address as a parameter', () => {
    for (const { path, parameters = [] } of operations) {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      expect([path, declared]).toEqual([path, parts]);
    }
  });

  it('holds nothing but schemas that are schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    const schemas = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content = {} }) => Object.values(content)),
    );
    for (const media of schemas) {
      expect(ajv.validateSchema('schema' in media ? Object(media.schema) : {})).toBe(true);
    }
  });

  it('has no reference to nothing', () => {
    const text = JSON.stringify(document);
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#([^"]+)"/g)) {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((part, name) => Object(part)[name], document);
      expect([pointer, typeof found]).toEqual([pointer, 'object']);
    }
  });

  it('is read on a page', async () => {
    const response = await api.nobody.get('/docs/');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/html');
  });
});

describe('migrations', () => {
  it('are applied once', async () => {
    expect(await migrate(config.databaseUrl)).toEqual([]);
    expect(await readStatus(config.databaseUrl)).toMatchObject({
      pending: [],
      unknown: [],
      altered: [],
    });
  });

  it('make the tables in migrations/schema.sql', async () => {
    expect(await inspect(config.databaseUrl)).toMatchObject({ isInStep: true });
  });

  it('are refused when one was edited after it had been applied', async () => {
    const { applied } = await readStatus(config.databaseUrl);
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    await cp('migrations', folder, { recursive: true });
    await appendFile(join(folder, applied[0] ?? '', 'up.sql'), '-- edited');
    await expect(migrate(config.databaseUrl, { folder })).rejects.toThrow(/edited/);
    await rm(folder, { recursive: true });
  });
});

describe('the seed', () => {
  it('fills every table, again and again', async () => {
    const once = await seed(database, { count: 20, password: '' });
    const twice = await seed(database, { count: 20, password: '' });
    for (const [index, { table, rows }] of once.entries()) {
      const { rows: found } = await sql`select 1 from ${sql.table(table)}`.execute(database);
      const total = rows + (twice[index]?.rows ?? 0);
      expect({ table, total }).toEqual({ table, total: found.length });
      expect(rows).toBeGreaterThan(0);
    }
  });

  it('adds somebody to log in as for each role', async () => {
    await seed(database, { count: 1, password: await api.app.hasher.hash(testPassword) });
    for (const role of Role) {
      const form = { username: `${role}@example.com`, password: testPassword };
      const { access_token: token } = (await api.nobody.post('/auth/token', form)).json();
      const me = await api.nobody.get('/auth/me', { authorization: `Bearer ${token}` });
      expect(me.json()).toMatchObject({ role });
    }
  });
});
