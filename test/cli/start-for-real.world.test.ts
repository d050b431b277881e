import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { installed, readDependencies } from '../support/install.ts';
import { root } from '../support/root.ts';
import { must, run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { fakeNpm } from './fake-npm.ts';
import { printed } from './printed.ts';
import { program, scaffold, surroundings } from './scaffold.ts';

/** Only the install is a short cut: the dependencies that it links to were installed by npm, once for all tests. */
const shortcut = {
  install: `fs.symlinkSync(process.env.MODULES, 'node_modules', 'dir');`,
  dev: `
    const real = require('node:child_process').spawn(process.env.NPM, ['run', 'dev'], { stdio: 'inherit' });
    real.on('exit', (code) => process.exit(code ?? 1));
  `,
};

test.each(['sqlite', 'postgres'])(
  'scaffold new --start, %s: the call that it prints works as pasted, Ctrl-C ends it all',
  async (database) => {
    const { cwd, args, env } = await prepare(database);
    const child = execa(
      process.execPath,
      [program, 'new', 'my-api', ...args, '--start', '--json'],
      {
        cwd,
        env,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
      },
    );
    const answer = JSON.parse(await printed(child, 'stdout', '\n'));
    expect(answer).toMatchObject({ ok: true, diagnostics: [] });
    expect((await fetch(answer.docs)).status).toBe(200);

    const pasted = await run('bash', ['-ec', answer.call.join('\n')], { cwd });
    expect(pasted).toMatchObject({ code: 0, stderr: '' });
    const [user = '', list = ''] = pasted.stdout.split('\n');
    expect(JSON.parse(user)).toMatchObject({ email: 'ann@example.test', role: 'user' });
    expect(JSON.parse(list)).toEqual({ items: [], total: 0, limit: 50, offset: 0 });

    child.kill('SIGINT');
    expect((await child).exitCode).toBe(0);
    await expect(fetch(answer.url)).rejects.toThrow('fetch failed');
  },
);

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to npx alone stops what `npx scaffold new --start` has started',
  async (signal) => {
    const { cwd, args, env } = await prepare('sqlite');
    // In a fresh clone the first npx makes a link to it, with npm.
    await must('npx', ['scaffold', '--version'], { cwd: root });
    const command = ['scaffold', 'new', join(cwd, 'my-api'), ...args, '--start', '--json'];
    const npx = execa('npx', command, {
      cwd: root,
      env: { ...env, npm_config_logs_max: '0' },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    const answer = JSON.parse(await printed(npx, 'stdout', '\n'));
    expect((await fetch(answer.docs)).status).toBe(200);
    npx.kill(signal);
    await vi.waitFor(() => expect(fetch(answer.url)).rejects.toThrow('fetch failed'), 20_000);
  },
);

async function prepare(database: string) {
  const cwd = await scratchFolder('cli-real');
  const args = ['--database', database];
  await scaffold(['new', 'probe', ...args, '--no-install', '--no-git'], { cwd });
  const modules = await installed(await readDependencies(join(cwd, 'probe')));
  const env = surroundings({
    ...(await fakeNpm(await scratchFolder('cli-npm'), shortcut)),
    MODULES: modules,
    PORT: String(await freePort()),
    NPM: join(dirname(process.execPath), 'npm'),
    ...(database === 'postgres' && { DATABASE_URL: await ownServer() }),
  });
  return { cwd, args, env };
}

/** The port that all projects begin with may be in use on this machine. */
async function ownServer(): Promise<string> {
  return `postgres://postgres:postgres@127.0.0.1:${await freePort()}/blog`;
}
