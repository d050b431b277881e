import { existsSync } from 'node:fs';
import { cp, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtApp } from './support/built-app.ts';
import { nodeVersion } from './support/node-version.ts';
import { must, type Run, run } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { stepsOfImage } from './support/steps.ts';

/** What the last stage of the Dockerfile copies, and nothing besides. */
let image: string;
/** The Node of that stage. */
let node: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const app = await builtApp('blog', 'sqlite');
  image = await scratchFolder('image');
  const { build, copied, node: version } = await stepsOfImage(app.folder);
  expect(copied).toEqual(['package.json', 'node_modules', 'migrations', 'dist']);
  for (const name of copied) {
    await cp(await realpath(join(app.folder, name)), join(image, name), { recursive: true });
  }
  const cleaning = build
    .map((step) => step.replace('npm run build && ', ''))
    .filter((step) => /^(npm prune|rm) /.test(step));
  expect(cleaning).toHaveLength(2);
  for (const command of cleaning) await must('sh', ['-c', command], { cwd: image });
  node = await nodeVersion(version);
  await mkdir(join(image, 'var'));
  env = { NODE_ENV: 'production', DATABASE_URL: 'file:./var/blog.db' };
});

test('has what the server needs, and no SQLite except the one of its Node', () => {
  expect(existsSync(join(image, 'dist/pages/scalar-corrections.js'))).toBe(true);
  const names = ['fastify', 'vitest', '@photostructure/sqlite'];
  const there = names.filter((name) => existsSync(join(image, 'node_modules', name)));
  expect(there).toEqual(['fastify']);
});

test('migrates and creates its first user with no setting but DATABASE_URL', async () => {
  expect(await cli(['status'])).toMatchObject({ code: 1, stdout: 'pending  0001_initial' });
  expect(await cli(['migrate'])).toMatchObject({ code: 0, stdout: 'Applied 0001_initial.' });
  expect(await cli(['status'])).toMatchObject({ code: 0 });
  const ann = ['--email', 'ann@example.com', '--name', 'Ann', '--admin'];
  expect(await cli(['create-user', ...ann], 'correct horse')).toEqual({
    code: 0,
    stdout: 'Created ann@example.com with the role admin; the id is 1.',
    stderr: '',
  });
  expect(await cli(['create-user', ...ann], 'correct horse')).toMatchObject({ code: 1 });
});

test('cannot be seeded with users whose password is known', async () => {
  expect(await cli(['seed', '--count', '5'])).toMatchObject({ code: 2 });
  expect(existsSync(join(image, 'node_modules/@faker-js/faker'))).toBe(false);
});

test('an unknown command or option is answered with those that exist', async () => {
  expect(await cli([])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(', create-user, '),
  });
  const { code, stderr } = await cli(['migrate', '--force']);
  expect(code).toBe(2);
  expect(stderr).toContain('Usage: migrate [--wait <seconds>]');
});

test('its server starts on the database that was migrated', async () => {
  const server = await startServer({
    cwd: image,
    env,
    command: [node, 'dist/server.js'],
  });
  const ready = await fetch(`${server.url}/health/ready`);
  expect(ready.status).toBe(200);
  await server.stop();
});

function cli(args: readonly string[], input = ''): Promise<Run> {
  return run(node, ['dist/cli.js', ...args], { cwd: image, env, input });
}
