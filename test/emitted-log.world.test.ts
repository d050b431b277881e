import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtApp } from './support/built-app.ts';
import { hanging } from './support/run.ts';
import { type Server, startServer } from './support/server.ts';

interface Line {
  readonly level: string;
  readonly id?: string;
  readonly ip?: string;
  readonly url?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly event?: string;
}

describe('the log of a server', () => {
  let server: Server;

  beforeAll(async () => {
    const { folder, env } = await builtApp('blog', 'sqlite');
    server = await startServer({
      cwd: folder,
      env: { ...env, LOG_LEVEL: 'info', TRUST_PROXY: '127.0.0.1' },
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });
  });

  afterAll(() => server.stop());

  test('says where a refused request came from, what it asked for and why it was refused', async () => {
    const line = await lineOf('the-1', '/api/posts?titel=x&token=a-secret', {
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(line).toMatchObject({ level: 'info', ip: '203.0.113.9', url: '/api/posts' });
    expect(line.reason).toContain('query.titel');
    expect(server.output()).not.toContain('a-secret');
  });

  test('names the address of a request that no route serves', async () => {
    const line = await lineOf('the-2', '/no/such/page');
    expect(line).toMatchObject({ url: '/no/such/page', code: 'not_found' });
  });

  test('has no line that a request has forged', async () => {
    const forged = encodeURIComponent('\n{"level":"fatal","event":"forged"}\n\u001b[2J');
    const line = await lineOf('the-3', `/api/posts?${forged}=1`);
    expect(line.reason).not.toMatch(/\p{Cc}/u);
    expect(lines().filter(({ level }) => level === 'fatal')).toEqual([]);
  });

  test('has the address and the id of the request on each event', async () => {
    const line = await lineOf('the-4', '/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ann@example.test', password: 'hunter2-and-more' }),
    });
    expect(line.ip).toBe('127.0.0.1');
    expect(lines().find(({ event }) => event === 'login_failed')).toMatchObject({
      id: 'the-4',
      ip: '127.0.0.1',
    });
    expect(server.output()).not.toContain('hunter2');
  });

  test('has no error when a client hangs up', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"a":',
    );
    await sleep(300);
    socket.destroy();
    await sleep(300);
    await lineOf('the-5', '/health/live');
    expect(lines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  async function lineOf(id: string, path: string, request: RequestInit = {}): Promise<Line> {
    const headers = { 'x-request-id': id, ...Object.fromEntries(new Headers(request.headers)) };
    await (await fetch(server.url + path, { ...request, headers })).text();
    const deadline = performance.now() + hanging;
    while (performance.now() < deadline) {
      const found = lines().find((line) => line.id === id && 'method' in line);
      if (found !== undefined) return found;
      await sleep(20);
    }
    throw new Error(`There is no line of ${id}.`);
  }

  function lines(): readonly Line[] {
    const printed = server.output().split('\n').slice(0, -1);
    return printed.filter((line) => line.startsWith('{')).map((line): Line => JSON.parse(line));
  }
});

test('a developer reads the log on a terminal', async () => {
  const { folder, env } = await builtApp('blog', 'sqlite');
  const command = `${process.execPath} dist/server.js`;
  const server = await startServer({
    cwd: folder,
    env: { ...env, NODE_ENV: 'development', LOG_LEVEL: 'info' },
    command: ['script', '--quiet', '--return', '--flush', '--command', command, '/dev/null'],
  });
  await (await fetch(`${server.url}/api/posts/?titel=x`)).text();
  await expect
    .poll(() => stripVTControlCharacters(server.output()))
    .toMatch(/^\[[\d:]{8}\] INFO: GET \/api\/posts\/ 422 in [\d.]+ ms .*query\.titel/m);
  await server.stop();
});
