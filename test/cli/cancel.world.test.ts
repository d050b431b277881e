import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { isDoneDespiteCtrlC } from './ctrl-c.ts';
import { fakeNpm } from './fake-npm.ts';
import { listing } from './listing.ts';
import { program, surroundings } from './scaffold.ts';

/** An install that starts another program; both write into the project until they are killed, and ignore SIGTERM. */
const endless = `
  const write = "process.on('SIGTERM', () => {}); setInterval(() => require('node:fs').mkdirSync('node_modules/' + process.hrtime.bigint(), { recursive: true }), 5)";
  require('node:child_process').spawn(process.execPath, ['-e', write], { stdio: 'ignore' });
  fs.writeFileSync(process.env.STARTED, '');
  setInterval(() => {}, 1000);
`;

const signals = ['SIGINT', 'SIGTERM'] as const;

test.concurrent.each(signals)(
  '%s during the install has status 130 and leaves nothing, once and for all',
  async (signal) => {
    const cwd = await scratchFolder('cli-cancel');
    const { code, stderr } = await cancelInstall(['new', 'deep/my-api'], { cwd, signal });
    expect(code).toBe(130);
    expect(stderr).toContain('Cancelled. Everything that this run wrote was removed.');
    expect(listing(cwd)).toEqual([]);
    await wait(300);
    expect(listing(cwd)).toEqual([]);
  },
);

test.concurrent.each(signals)(
  '%s during the install leaves a folder that was there as it was',
  async (signal) => {
    const cwd = await scratchFolder('cli-cancel');
    await mkdir(join(cwd, 'my-api/src'), { recursive: true });
    await writeFile(join(cwd, 'my-api/src/notes.txt'), 'mine');
    const before = listing(cwd);
    const { code } = await cancelInstall(['new', 'my-api', '--force'], { cwd, signal });
    expect(code).toBe(130);
    expect(listing(cwd)).toEqual(before);
  },
);

test('a signal at any moment leaves the whole project or nothing', async () => {
  const cwd = await scratchFolder('cli-cancel');
  const env = await fakeNpm(await scratchFolder('cli-npm'));
  const outcomes = new Set<boolean>();
  for (let delay = 0; delay < 900; delay += 75) {
    const folder = join(cwd, `after-${delay}`);
    const isDone = await isDoneDespiteCtrlC(['new', folder], { cwd, env, delay });
    outcomes.add(isDone);
    expect(existsSync(folder), `${delay} ms`).toBe(isDone);
    expect(listing(cwd).filter((path) => path.startsWith('.'))).toEqual([]);
  }
  expect(outcomes).toContain(false);
});

interface Cancelled {
  readonly cwd: string;
  readonly signal: NodeJS.Signals;
}

async function cancelInstall(args: readonly string[], { cwd, signal }: Cancelled) {
  const aside = await scratchFolder('cli-npm');
  const started = join(aside, 'started');
  const env = surroundings({ ...(await fakeNpm(aside, { install: endless })), STARTED: started });
  const child = execa(process.execPath, [program, ...args], {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  while (!existsSync(started) && child.exitCode === null) await wait(20);
  await wait(100);
  child.kill(signal);
  const { exitCode, stderr } = await child;
  return { code: exitCode, stderr };
}
