import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { root } from '../support/root.ts';
import { commandLine } from './in-process.ts';
import { program, scaffold } from './scaffold.ts';

const here = { cwd: tmpdir() };

test('the version is that of package.json', async () => {
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  expect(version).toBe(manifest.version);
  const answer = { code: 0, stdout: version, stderr: '' };
  expect(await scaffold(['--version'], here)).toEqual(answer);
  for (const args of [['-V'], ['new', '--version'], ['check', '-V']]) {
    expect(await commandLine(args, here)).toEqual(answer);
  }
});

describe('help goes to standard output', () => {
  test('of the whole program, also when nothing else is asked for', async () => {
    const asked = await commandLine(['--help'], here);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(await commandLine([], here)).toEqual(asked);
    for (const command of ['new', 'regenerate|regen', 'check', 'resolve', 'explain']) {
      expect(asked.stdout).toMatch(new RegExp(`^  ${command.replace('|', '\\|')} `, 'm'));
    }
    expect(asked.stdout.split('\n').length).toBeLessThanOrEqual(45);
  });

  test.each(['regenerate', 'resolve'])('of %s, on one screen', async (command) => {
    const { code, stdout } = await commandLine([command, '--help'], here);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(45);
  });

  test('of a command, with what holds everywhere', async () => {
    const { code, stdout, stderr } = await commandLine(['new', '-h'], here);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const option of ['--schema', '--example', '--database', '--dry-run', '--json', '--yes']) {
      expect(stdout).toContain(option);
    }
    expect(stdout.split('\n').length).toBeLessThanOrEqual(45);
  });
});

test.each([['--version'], ['new', '--help'], ['explain', 'SCF101']])(
  'a reader that has left is not an error: %s',
  async (...args) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);

describe('a command line that is not understood has status 2 and says what was meant', () => {
  test.each([
    { args: ['nwe'], says: ['Unknown command `nwe`', 'Did you mean new?'] },
    { args: ['init'], says: ['Unknown command `init`', 'Did you mean `npx scaffold new`?'] },
    { args: ['--no-color', 'create'], says: ['Did you mean `npx scaffold new`?'] },
    { args: ['new', 'x', '--exmaple', 'blog'], says: ['`--exmaple`', 'Did you mean --example?'] },
    { args: ['new', 'x', '--example', 'blgo'], says: ['`blgo`', 'blog, shop, minimal'] },
    { args: ['new', 'x', '--database', 'mysql'], says: ['`mysql`', 'sqlite, postgres'] },
    { args: ['new', 'x', '--schema', 'a', '--example', 'blog'], says: ['--example', '--schema'] },
    { args: ['new', 'x', '--start', '--no-install'], says: ['`--start`', '`--no-install`'] },
    { args: ['new', 'x', 'y'], says: ['Too many arguments'] },
    { args: ['new', 'x', '--schema'], says: ['--schema <file>'] },
    { args: ['explain'], says: ['Missing required argument `code`'] },
    { args: ['explain', 'SCF000000'], says: ['There is no error `SCF000000`'] },
    { args: ['regenerate', '--on-conflict', 'mine'], says: ['`mine`', 'markers, ours, theirs'] },
    { args: ['regen', '--renam', 'a=b'], says: ['Did you mean --rename?', 'regenerate --help'] },
    { args: ['resolve', '--ours', '--theirs'], says: ['`--ours`', '`--theirs`'] },
    { args: ['import', 'drizzle', 'x'], says: ['prisma, db'] },
    { args: ['check', 'import', '--bogus'], says: ['See `scaffold check --help`'] },
    { args: ['new', 'x', '--schema', 'nowhere.yaml'], says: ['`nowhere.yaml` does not exist'] },
  ])('scaffold $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await commandLine(args, here);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error SCF\d{3} {2}/);
    for (const words of says) expect(stderr).toContain(words);
    expect(stderr).toMatch(/\nNothing was written\.$/);
  });
});

test('it is the same as a process, which prints one object when asked to', async () => {
  const { code, stdout, stderr } = await scaffold(['nonsense', '--json'], here);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, diagnostics: [{ code: 'SCF001' }] });
  const plain = await scaffold(['nwe'], here);
  expect(plain).toMatchObject({ code: 2, stdout: '' });
  expect(plain.stderr).toMatch(/^error SCF001 .*\nNothing was written\.$/s);
});

test('--debug adds where the error comes from', async () => {
  const plain = await commandLine(['explain', 'nothing'], here);
  const debug = await commandLine(['explain', 'nothing', '--debug'], here);
  expect(plain.stderr).not.toContain('    at ');
  expect(debug.stderr).toContain('    at ');
});
