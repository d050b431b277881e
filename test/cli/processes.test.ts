import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { blogProject } from './blog-project.ts';
import { isDoneDespiteCtrlC } from './ctrl-c.ts';
import { fakeNpm } from './fake-npm.ts';
import { listing } from './listing.ts';
import { printed } from './printed.ts';
import { enter, onTerminal } from './pseudo-terminal.ts';
import { program, scaffold, surroundings } from './scaffold.ts';

/** One case of each kind that the `*.world.test.ts` beside this file try in every way. */
let cwd = '';
let env = {};
beforeEach(async () => {
  cwd = await scratchFolder('cli-processes');
  env = await fakeNpm(await scratchFolder('cli-npm'));
});

const command = `"${process.execPath}" "${program}"`;

test('on a terminal two questions are asked, with answers that Enter takes', async () => {
  const reactions = [
    { when: 'Project folder', type: enter },
    { when: 'Start from', type: enter },
  ];
  const { code } = await onTerminal(`${command} new`, { cwd, env, reactions });
  expect(code).toBe(0);
  expect(listing(join(cwd, 'my-api'))).toContain('node_modules');
});

test('on a terminal a rename is proposed, and Enter takes it', async () => {
  const { folder, edit, read } = await blogProject();
  await edit('schema.yaml', 'title: string(3..160)', 'heading: string(3..160)');
  const reactions = [{ when: 'Was it renamed?', type: enter }];
  const { code } = await onTerminal(`${command} regenerate`, { cwd: folder, reactions });
  expect(code).toBe(0);
  expect(read('migrations/0002_rename_post_title/up.sql')).toMatch(/RENAME COLUMN/i);
});

test('with nobody to ask it fails at once and names what is missing', async () => {
  const { code, stdout, stderr } = await scaffold(['new'], { cwd, stdin: 'open' });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('`[dir]`');
  expect(listing(cwd)).toEqual([]);
});

test('the dependencies are installed, and the lock file committed with the rest', async () => {
  const { code, stderr } = await scaffold(['new', 'my-api'], { cwd, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/✓ dependencies +npm install +\d+\.\d s\n/);
  const git = await run('git', ['ls-files', 'package-lock.json'], { cwd: join(cwd, 'my-api') });
  expect(git.stdout).toBe('package-lock.json');
});

test('--start ends with a URL that answers, and Ctrl-C with status 0', async () => {
  const child = execa(process.execPath, [program, 'new', 'my-api', '--start'], {
    cwd,
    env: surroundings({ ...env, PORT: String(await freePort()) }),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  const text = await printed(child, 'stderr', 'npm run db:seed');
  const url = /(http:\/\/localhost:\d+) {2}is up/.exec(text)?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(0);
});

test('Ctrl-C in the middle leaves the whole project or nothing', async () => {
  const folder = join(cwd, 'my-api');
  const isDone = await isDoneDespiteCtrlC(['new', folder], { cwd, env, delay: 250 });
  expect(existsSync(folder)).toBe(isDone);
  expect(listing(cwd).filter((path) => path.startsWith('.'))).toEqual([]);
});
