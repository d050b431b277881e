import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { listing } from './listing.ts';
import { scaffold } from './scaffold.ts';

const escape = '\u001b';

describe.each(['closed', 'open'] as const)('with nobody to ask, standard input %s', (stdin) => {
  test.each([[['new']], [['new', '--no-input']], [['new', '--example', 'blog']]])(
    'scaffold %j fails at once and names what is missing',
    async (args) => {
      const cwd = await scratchFolder('cli-nobody');
      const { code, stdout, stderr } = await scaffold(args, { cwd, stdin });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('`[dir]`');
      expect(stderr).toContain('scaffold new my-api');
      expect(listing(cwd)).toEqual([]);
    },
  );

  test('a folder is enough, and --yes does not even need that', async () => {
    const cwd = await scratchFolder('cli-nobody');
    const skip = ['--no-install', '--no-git'];
    expect((await scaffold(['new', 'named', ...skip], { cwd, stdin })).code).toBe(0);
    expect((await scaffold(['new', '--yes', ...skip], { cwd, stdin })).code).toBe(0);
    expect(listing(join(cwd, 'named'))).toEqual(listing(join(cwd, 'my-api')));
  });
});

test.each([{}, { NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }])(
  'off a terminal not one escape byte is printed (%j)',
  async (env) => {
    const cwd = await scratchFolder('cli-nobody');
    const runs = [
      await scaffold(['new', 'my-api', '--no-install'], { cwd, env }),
      await scaffold(['new', 'my-api'], { cwd, env }),
      await scaffold(['new'], { cwd, env }),
      await scaffold(['check', 'my-api'], { cwd, env }),
      await scaffold(['explain', 'SCF002'], { cwd, env }),
      await scaffold(['--help'], { cwd, env }),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 7, 2, 0, 0, 0]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(escape);
  },
);

test('FORCE_COLOR colours also off a terminal, unless NO_COLOR or --no-color says otherwise', async () => {
  const cwd = await scratchFolder('cli-nobody');
  const run = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
    (await scaffold(args, { cwd, env })).stderr.includes(escape);
  expect(await run(['new'], { FORCE_COLOR: '1' })).toBe(true);
  expect(await run(['new'], { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
  expect(await run(['new', '--no-color'], { FORCE_COLOR: '1' })).toBe(false);
  expect(await run(['--no-color', 'new'], { FORCE_COLOR: '1' })).toBe(false);
});

test('a reader that leaves early breaks nothing', async () => {
  const cwd = await scratchFolder('cli-nobody');
  const { execa } = await import('execa');
  const { program } = await import('./scaffold.ts');
  const line = `"${process.execPath}" "${program}" new my-api --no-install --no-git | head -n 1`;
  await execa('bash', ['-c', line], { cwd });
  expect(listing(join(cwd, 'my-api'))).toContain('.env');
});
