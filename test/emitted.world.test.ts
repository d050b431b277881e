import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, type BuiltApp, copiedApp } from './support/built-app.ts';
import { type Client, clientOf } from './support/client.ts';
import { mailedToken } from './support/mailbox.ts';
import { failuresOfOwnTests } from './support/failures-of-own-tests.ts';
import { must, run } from './support/run.ts';
import { say } from './support/say.ts';
import { type Server, startServer } from './support/server.ts';
import { isDeep } from './support/trials.ts';
import { oneChecker } from './support/type-check.ts';

/** The smallest on PostgreSQL has nothing that the others lack; before a release, it is run as well. */
const apps = (['minimal', 'blog', 'every-type'] as const).flatMap((fixture) =>
  (['sqlite', 'postgres'] as const)
    .filter((engine) => isDeep || fixture !== 'minimal' || engine === 'sqlite')
    .map((engine) => ({ fixture, engine })),
);

const root = { email: 'root@example.test', password: 'correct horse battery' };

/** What an app's users need besides a name, an address and a password. */
const required = {
  minimal: [],
  blog: [],
  'every-type': ['--birthday', '1990-02-28', '--badge', 'AB-12'],
};

describe.each(apps)('$fixture on $engine', ({ fixture, engine }) => {
  let app: BuiltApp;

  beforeAll(async () => {
    say(`emitted app: ${fixture} on ${engine}`);
    app = await copiedApp(fixture, engine);
  });

  // The blog's own checks and tests are those of `test/blog.test.ts`. With more tests beside its own, that of every type is
  // compiled in `test/fields.world.test.ts`.
  test.runIf(fixture === 'minimal')('type-checks', async () => {
    await must('npm', ['run', 'typecheck', '--', ...oneChecker], { cwd: app.folder });
  });

  test.runIf(fixture !== 'blog')('has no lint findings', async () => {
    await must('npm', ['run', 'lint'], { cwd: app.folder });
  });

  test('builds', () => build(app));

  // The own tests of the smallest: test/emitted-tests/own-tables.world.test.ts; its format: test/stranger.world.test.ts.
  test.runIf(fixture === 'every-type')('passes its own tests', async () => {
    expect(await failuresOfOwnTests(app.folder, engine)).toBe('');
  });

  test('refuses to start in production before its migrations are applied', async () => {
    const env = { ...app.env, NODE_ENV: 'production' };
    const { code, stdout, stderr } = await run('npm', ['start'], { cwd: app.folder, env });
    expect(code).toBeGreaterThan(0);
    expect(stdout + stderr).toContain('0001_initial');
  });

  describe('in production', () => {
    let server: Server;
    let client: Client;

    beforeAll(async () => {
      // As `npm start` does, without npm: a signal would end it and its shell, and leave the server behind.
      const command = [process.execPath, 'dist/server.js', '--migrate'] as const;
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
      await must('npm', ['run', 'user:create', '--', ...args, ...required[fixture]], {
        cwd: app.folder,
        env: app.env,
      });
      client = clientOf(server.url);
      await client.login(root.email, root.password);
    });

    afterAll(() => server.stop());

    test('is never seeded in production', async () => {
      const env = { ...app.env, NODE_ENV: 'production' };
      const { code, stderr } = await run('npm', ['run', 'db:seed'], { cwd: app.folder, env });
      expect([code, stderr]).toEqual([2, expect.stringContaining('do not belong in production')]);
    });

    test('is seeded in development, with a password of its own; every list has a total of 500 or more', async () => {
      const { stdout } = await must('npm', ['run', 'db:seed', '--', '--count', '500'], {
        cwd: app.folder,
        env: app.env,
      });
      const [, password = ''] = /password of every new user is `([\w-]{16})`/.exec(stdout) ?? [];
      const seeded = await clientOf(server.url).login('admin@example.com', password);
      expect(seeded).toMatchObject({ token_type: 'bearer' });
      const { body } = await client.call('GET', '/openapi.json');
      const lists = listPaths(Object(body['paths']));
      expect(lists).not.toEqual([]);
      for (const path of lists) {
        const page = await client.call('GET', `${path}?limit=0`);
        expect(page.body['total'], `total of ${path}`).toBeGreaterThanOrEqual(500);
      }
    });

    test('describes itself in a valid OpenAPI 3.1 document', async () => {
      const { body } = await client.call('GET', '/openapi.json');
      expect(body['openapi']).toMatch(/^3\.1\./);
      const validator = new Validator();
      expect(await validator.validate(body)).toEqual({ valid: true });
      expect((await validator.validate({ ...body, paths: 7 })).valid).toBe(false);
    });

    test('writes that document to openapi.json', async () => {
      await must('npm', ['run', 'openapi'], { cwd: app.folder, env: app.env });
      const { body } = await client.call('GET', '/openapi.json');
      const written: unknown = JSON.parse(await readFile(join(app.folder, 'openapi.json'), 'utf8'));
      expect(written).toMatchObject({ paths: body['paths'] });
    });

    test('shows bodies that create a row as they are', async () => {
      const { body } = await client.call('GET', '/openapi.json');
      const answers = [];
      const examples = createExamples(Object(body['paths']));
      expect(examples.length).toBeGreaterThan(1);
      for (const [path, example] of examples) {
        const { status } = await client.call('POST', path, example);
        if (status !== 201) answers.push([path, status]);
      }
      expect(Object.fromEntries(answers)).toEqual(refusedExamples[fixture]);
    });

    test('mails a reset token to disk, and the token changes the password once', async () => {
      await client.call('POST', '/auth/forgot-password', { email: root.email });
      const token = await mailedToken(join(app.folder, 'var/mail'), root.email);
      const reset = { token, password: 'a different battery' };
      const validated = await client.call('POST', '/auth/forgot-password/validate', { token });
      expect(validated).toEqual({ status: 200, body: { valid: true, email: root.email } });
      expect(await client.call('POST', '/auth/reset-password', reset)).toMatchObject({
        status: 200,
      });
      expect(await client.call('POST', '/auth/reset-password', reset)).toMatchObject({
        status: 400,
      });
      expect(await client.call('GET', '/auth/me')).toMatchObject({ status: 401 });
      expect(await client.login(root.email, reset.password)).toMatchObject({
        token_type: 'bearer',
      });
    });

    test('ends with exit status 0 on SIGTERM', async () => {
      const direct = await startServer({ cwd: app.folder, env: app.env });
      expect(await direct.stop()).toBe(0);
      expect(direct.output()).not.toMatch(/error|warning/i);
    });
  });
});

/** Whoever has registered is there already, the first hall has its plan, and no example can know an id that is a uuid. */
const refusedExamples = {
  minimal: { '/api/users/': 409 },
  blog: { '/api/users/': 409 },
  'every-type': { '/api/v1/users/': 409, '/api/v1/hall_plans/': 409, '/api/v1/showings/': 422 },
};

/** Each path for which the document has an example of a body, with that example. */
function createExamples(paths: object) {
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const { example } = Object(post?.requestBody?.content?.['application/json']);
    return example === undefined ? [] : [[path, example] as const];
  });
}

/** Paths without a parameter that can be read, except those of no model. */
function listPaths(paths: object): string[] {
  return Object.entries(paths)
    .filter(([path]) => !path.includes('{') && !/^\/(auth|health)/.test(path))
    .filter(([, operations]) => 'get' in Object(operations))
    .map(([path]) => path);
}
