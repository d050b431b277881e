import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltApp, copiedApp } from './support/built-app.ts';
import { freshDatabase } from './support/postgres.ts';
import { must, run } from './support/run.ts';
import { say } from './support/say.ts';
import { type Server, startServer } from './support/server.ts';

const apps = (['minimal', 'blog', 'every-type'] as const).flatMap((name) =>
  (['sqlite', 'postgres'] as const).map((engine) => ({ name, engine })),
);

const root = { email: 'root@example.test', password: 'correct horse battery' };

describe.each(apps)('$name on $engine', ({ name, engine }) => {
  let app: BuiltApp;

  beforeAll(async () => {
    say(`emitted app: ${name} on ${engine}`);
    app = await copiedApp(name, engine);
  }, 900_000);

  test.each([
    ['type-checks', 'typecheck'],
    ['has no finding of its linter', 'lint'],
    ['builds', 'build'],
  ])(
    '%s',
    async (_, script) => {
      await must('npm', ['run', script], { cwd: app.folder });
    },
    120_000,
  );

  test('is formatted', async () => {
    await must('node_modules/.bin/prettier', ['--check', '.'], { cwd: app.folder });
  }, 120_000);

  test('passes its own tests', async () => {
    const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
    const { code, stdout, stderr } = await run('npm', ['test'], { cwd: app.folder, env });
    expect(code === 0 ? '' : `${stdout}\n${stderr}`).toBe('');
  }, 300_000);

  test('refuses to start in production before its migrations are applied', async () => {
    const env = { ...app.env, NODE_ENV: 'production' };
    const { code, stdout, stderr } = await run('npm', ['start'], {
      cwd: app.folder,
      env,
      timeout: 20_000,
    });
    expect(code).toBeGreaterThan(0);
    expect(stdout + stderr).toContain('0001_initial');
  });

  describe('in production', () => {
    let server: Server;
    let token = '';

    beforeAll(async () => {
      const command = ['npm', 'start', '--', '--migrate'] as const;
      server = await startServer({ cwd: app.folder, env: app.env, command });
      const args = [
        '--name',
        'Root',
        '--email',
        root.email,
        '--role',
        'admin',
        '--password',
        root.password,
      ];
      await must('npm', ['run', 'user:create', '--', ...args, ...required[name]], {
        cwd: app.folder,
        env: app.env,
      });
      token = (await login(root.password)).access_token;
    }, 60_000);

    afterAll(() => server.stop());

    test('is seeded, and every list has a total of 500 or more', async () => {
      await must('npm', ['run', 'db:seed', '--', '--count', '500'], {
        cwd: app.folder,
        env: app.env,
      });
      const totals = await Promise.all(
        (await listPaths()).map(async (path) => [path, await total(path)]),
      );
      expect(totals.length).toBeGreaterThan(0);
      for (const [path, found] of totals)
        expect(found, `total of ${path}`).toBeGreaterThanOrEqual(500);
    }, 120_000);

    test('describes itself in a valid OpenAPI 3.1 document', async () => {
      const document = await document31();
      expect(document['openapi']).toMatch(/^3\.1\./);
      const validator = new Validator();
      expect(await validator.validate(document)).toEqual({ valid: true });
      expect((await validator.validate({ ...document, paths: 7 })).valid).toBe(false);
    });

    test('writes that document to openapi.json', async () => {
      await must('npm', ['run', 'openapi'], { cwd: app.folder, env: app.env });
      const written: unknown = JSON.parse(await readFile(join(app.folder, 'openapi.json'), 'utf8'));
      expect(written).toMatchObject({ paths: (await document31())['paths'] });
    });

    test('mails a reset token to disk, which changes the password once', async () => {
      await call('POST', '/auth/forgot-password', { email: root.email });
      const reset = { token: await mailedToken(), password: 'a different battery' };
      expect(
        await call('POST', '/auth/forgot-password/validate', { token: reset.token }),
      ).toMatchObject({
        status: 200,
        body: { valid: true, email: root.email },
      });
      expect(await call('POST', '/auth/reset-password', reset)).toMatchObject({ status: 200 });
      expect(await call('POST', '/auth/reset-password', reset)).toMatchObject({ status: 400 });
      expect(await call('GET', '/auth/me')).toMatchObject({ status: 401 });
      expect((await login(reset.password)).token_type).toBe('bearer');
    });

    test('ends with exit status 0 on SIGTERM', async () => {
      const direct = await startServer({ cwd: app.folder, env: app.env });
      expect(await direct.stop()).toBe(0);
      expect(direct.output()).not.toMatch(/error|warning/i);
    });

    async function listPaths(): Promise<string[]> {
      const paths = Object.entries((await document31())['paths'] ?? {});
      return paths
        .filter(
          ([path, operations]) => !/[{]|^\/(auth|health)/.test(path) && 'get' in Object(operations),
        )
        .map(([path]) => path);
    }

    async function total(path: string): Promise<unknown> {
      const { body } = await call('GET', `${path}?limit=0`);
      return typeof body === 'object' && body !== null && 'total' in body ? body.total : body;
    }

    async function document31(): Promise<Record<string, unknown>> {
      const { body } = await call('GET', '/openapi.json');
      return { ...Object(body) };
    }

    async function login(password: string): Promise<{ access_token: string; token_type: string }> {
      const { body } = await call('POST', '/auth/token', { username: root.email, password });
      return { access_token: '', token_type: '', ...Object(body) };
    }

    async function call(
      method: string,
      path: string,
      json?: unknown,
    ): Promise<{ status: number; body: unknown }> {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          ...(token !== '' && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return { status: response.status, body: await response.json() };
    }

    async function mailedToken(): Promise<string> {
      const folder = join(app.folder, 'var/mail');
      const deadline = performance.now() + 15_000;
      while (performance.now() < deadline) {
        for (const name of await readdir(folder).catch(() => [])) {
          const text = (await readFile(join(folder, name), 'utf8'))
            .replace(/=\r?\n/g, '')
            .replaceAll('=3D', '=');
          const token = /token=([\w-]{43})\b/.exec(text)?.[1];
          if (token !== undefined && text.includes(root.email)) return token;
        }
        await new Promise((later) => setTimeout(later, 100));
      }
      throw new Error(`No mail in ${folder} after 15 s.`);
    }
  });
});

/** What an app's own users must have besides a name, an address and a password. */
const required: Readonly<Record<(typeof apps)[number]['name'], readonly string[]>> = {
  minimal: [],
  blog: [],
  'every-type': [],
};
