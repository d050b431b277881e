import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { fakeNpm } from './fake-npm.ts';
import { listing } from './listing.ts';
import { scaffold } from './scaffold.ts';

let cwd = '';
let bin = '';
beforeEach(async () => {
  cwd = await scratchFolder('cli-install');
  bin = await scratchFolder('cli-npm');
});

describe('scaffold new installs', () => {
  test('the dependencies, and commits the lock file with the rest', async () => {
    const env = await fakeNpm(bin);
    const { code, stderr } = await scaffold(['new', 'my-api'], { cwd, env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/✓ dependencies +npm install +\d+\.\d s\n/);
    expect(stderr).not.toContain('  npm install\n');
    const git = await run('git', ['ls-files', 'package-lock.json'], { cwd: join(cwd, 'my-api') });
    expect(git.stdout).toBe('package-lock.json');
  });

  test('with the package manager that runs it', async () => {
    const env = {
      ...(await fakeNpm(bin)),
      npm_config_user_agent: 'pnpm/11.0.0 npm/? node/v22.14.0',
    };
    const { stderr } = await scaffold(['new', 'my-api', '--no-install'], { cwd, env });
    expect(stderr).toContain('pnpm install\n');
    expect(stderr).toContain('pnpm run dev');
    const chosen = await scaffold(['new', 'b', '--no-install', '--pm', 'yarn'], { cwd, env });
    expect(chosen.stderr).toContain('yarn install\n');
  });

  test('without success: the project stays, the status is 6, the next steps begin with the install', async () => {
    const env = await fakeNpm(bin, { install: `console.error('ENOTFOUND'); process.exit(1);` });
    const { code, stdout, stderr } = await scaffold(['new', 'my-api'], { cwd, env });
    expect(code).toBe(6);
    expect(stdout).toContain('create  package.json');
    expect(stderr).toMatch(
      /error SCF602 {2}`npm install` failed\. Its last lines:\n {4}ENOTFOUND\n/,
    );
    expect(stderr).toContain('cd my-api\n  npm install\n  npm run dev');
    expect(listing(join(cwd, 'my-api'))).toContain('.git');
  });

  test('with a package manager that does not exist: the same', async () => {
    const { code, stderr } = await scaffold(['new', 'my-api', '--pm', 'bun'], {
      cwd,
      env: { PATH: '/usr/bin:/bin' },
    });
    expect(code).toBe(6);
    expect(stderr).toContain('`bun install` failed');
    expect(listing(join(cwd, 'my-api'))).toContain('package.json');
  });
});

describe('git', () => {
  test('works for somebody who has not told git a name', async () => {
    const env = { HOME: bin, XDG_CONFIG_HOME: bin, GIT_CONFIG_NOSYSTEM: '1' };
    const { code } = await scaffold(['new', 'my-api', '--no-install'], { cwd, env });
    expect(code).toBe(0);
    expect((await log(join(cwd, 'my-api'))).stdout).toBe('Start my-api|scaffold');
    const status = await run('git', ['status', '--porcelain'], { cwd: join(cwd, 'my-api') });
    expect(status.stdout).toBe('');
  });

  test('is left alone inside another repository, and with --no-git', async () => {
    await scaffold(['new', 'none', '--no-install', '--no-git'], { cwd });
    expect(listing(join(cwd, 'none'))).not.toContain('.git');
    await run('git', ['init', '--quiet', 'around'], { cwd });
    const { code } = await scaffold(['new', 'around/my-api', '--no-install'], { cwd });
    expect(code).toBe(0);
    expect(listing(join(cwd, 'around/my-api'))).not.toContain('.git');
  });

  test('need not be installed', async () => {
    const { code, stderr } = await scaffold(['new', 'my-api', '--no-install'], {
      cwd,
      env: { PATH: bin },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('not installed, left out');
  });
});

const log = (folder: string) => run('git', ['log', '--format=%s|%an', '--all'], { cwd: folder });
