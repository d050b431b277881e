import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { scratchFolder } from '../support/scratch.ts';
import { fakeNpm, type FakeNpm } from './fake-npm.ts';
import { listing } from './listing.ts';
import { printed } from './printed.ts';
import { program, surroundings } from './scaffold.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await scratchFolder('cli-start');
});

const project = () => join(cwd, 'my-api');

describe('scaffold new --start', () => {
  test('ends with a URL that answers, its docs, a call to paste and what comes next', async () => {
    const child = start([], await withNpm());
    const text = await printed(child, 'stderr', 'npm run db:seed');
    const url = /(http:\/\/localhost:\d+) {2}is up/.exec(text)?.[1] ?? '';
    expect((await fetch(url)).status).toBe(200);
    expect(text).toContain(`${url}/docs`);
    expect(text).toContain(`curl -sw '\\n' ${url}/auth/register`);
    expect(text).toContain(`curl -sw '\\n' ${url}/api/posts/ -H "Authorization: Bearer $TOKEN"`);
    expect(text).toContain('cd my-api\n  npm test');

    child.kill('SIGINT');
    expect((await child).exitCode).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(listing(project())).toContain('package.json');
  });

  test('keeps the output of the server apart from the result', async () => {
    const child = start(['--json'], await withNpm());
    const line = await printed(child, 'stdout', '\n');
    const answer = JSON.parse(line);
    expect(answer).toMatchObject({ ok: true, docs: `${answer.url}/docs` });
    expect((await fetch(answer.url)).status).toBe(200);
    child.kill('SIGTERM');
    const { stdout, stderr } = await child;
    expect(stdout).toBe(line.trimEnd());
    expect(stderr).toContain('the server listens');
  });

  test('takes another port when the usual one is in use', async () => {
    const env = await withNpm();
    const other = createServer().listen(Number(env['PORT']), '127.0.0.1');
    await once(other, 'listening');
    const child = start([], env);
    const text = await printed(child, 'stderr', 'npm run db:seed');
    other.close();
    expect(Number(/localhost:(\d+) {2}is up/.exec(text)?.[1])).toBeGreaterThan(Number(env['PORT']));
    child.kill('SIGINT');
    expect((await child).exitCode).toBe(0);
  });

  test('says when the server does not start; the project stays', async () => {
    const child = start(
      [],
      await withNpm({ dev: `console.error('no such table'); process.exit(3);` }),
    );
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(6);
    expect(stderr).toContain('no such table');
    expect(stderr).toMatch(/error SCF604 {2}The server did not start\./);
    expect(listing(project())).toContain('node_modules');
  });

  test('does not start what could not be installed', async () => {
    const { exitCode, stderr } = await start([], await withNpm({ install: 'process.exit(1);' }));
    expect(exitCode).toBe(6);
    expect(stderr).not.toContain('listens');
  });

  test('Ctrl-C before the server answers leaves nothing', async () => {
    const child = start(
      [],
      await withNpm({ dev: `console.log('slow'); setInterval(() => {}, 1000);` }),
    );
    await printed(child, 'stderr', 'slow');
    child.kill('SIGINT');
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('Everything that this run wrote was removed.');
    expect(listing(cwd)).toEqual([]);
  });
});

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  return execa(process.execPath, [program, 'new', 'my-api', '--start', ...args], {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
}

async function withNpm(npm: FakeNpm = {}) {
  const path = await fakeNpm(await scratchFolder('cli-npm'), npm);
  return surroundings({ ...path, PORT: String(await freePort()) });
}
