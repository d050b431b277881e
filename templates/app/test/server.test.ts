import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrate, migrationStatus } from '../src/database/migrate.ts';
import { isDrift } from '../src/database/migrations/checks.ts';
import { findDrift } from '../src/database/migrations/facts.ts';
import { readSchemaSql } from '../src/database/migrations/read.ts';
import { seed, seedPassword } from '../src/database/seed.ts';
import { Role } from '../src/enums.ts';
import { pointerPart, readDocument, schemasOf, startTestApp } from './app.ts';

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

  it('shows a list with few parameters', () => {
    for (const { path, method, parameters = [] } of operations) {
      expect([path, method, parameters.length <= 10]).toEqual([path, method, true]);
    }
  });

  it('gives examples that fit', () => {
    const ajv = schemasOf(document);
    const shapes = [...shapesIn(document)];
    expect(shapes.length).toBeGreaterThan(5);
    for (const { pointer, examples } of shapes) {
      const validate = ajv.getSchema(`document#${pointer}`);
      for (const example of examples) validate?.(example);
      expect([pointer, validate?.errors ?? null]).toEqual([pointer, null]);
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
    expect(await migrationStatus(database)).toMatchObject({
      pending: [],
      unknown: [],
      altered: [],
    });
  });

  it('make the tables in migrations/schema.sql', async () => {
    const differences = await findDrift(config.databaseUrl, readSchemaSql() ?? '');
    expect(differences.filter(isDrift)).toEqual([]);
  });

  it('are refused when one was edited after it had been applied', async () => {
    const { applied } = await migrationStatus(database);
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
    const password = await api.app.hasher.hash(seedPassword);
    await seed(database, { count: 1, password });
    for (const role of Role) {
      const form = { username: `${role}@example.com`, password: seedPassword };
      const { access_token: token } = (await api.nobody.post('/auth/token', form)).json();
      const me = await api.nobody.get('/auth/me', { authorization: `Bearer ${token}` });
      expect(me.json()).toMatchObject({ role });
    }
  });
});

interface Shape {
  readonly pointer: string;
  readonly examples: readonly unknown[];
}

/** Each schema of an object that says what such an object may look like. */
function* shapesIn(part: unknown, pointer = ''): Generator<Shape> {
  if (typeof part !== 'object' || part === null) return;
  if ('properties' in part && 'examples' in part && Array.isArray(part.examples)) {
    yield { pointer, examples: part.examples };
  }
  for (const [name, inner] of Object.entries(part)) {
    yield* shapesIn(inner, `${pointer}/${pointerPart(name)}`);
  }
}
