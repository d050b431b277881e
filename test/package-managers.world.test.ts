import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scaffold } from './cli/scaffold.ts';
import { installed } from './support/install.ts';
import { nodeVersion } from './support/node-version.ts';
import { must, run } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { stepsOfCi, stepsOfImage } from './support/steps.ts';
import { isDeep } from './support/trials.ts';

/** Yarn 1 checks everything that is allowed: packages of other platforms, and the newest ones, which ask for Node 22. */
const probe = await run('npm', ['view', '@node-rs/bcrypt-darwin-arm64@2.0.0', 'version'], {
  cwd: await scratchFolder('registry'),
});
const hasAllPlatforms = probe.stdout.trim() !== '';
const suitsYarn = hasAllPlatforms && Number.parseInt(process.versions.node, 10) >= 22;
if (!suitsYarn)
  say('yarn needs Node 22 and a registry with packages of all platforms: it is left out');
/** What a project made with npm does is in `stranger.world.test.ts`. */
const managers = [...(isDeep ? ['npm'] : []), 'pnpm', ...(suitsYarn ? ['yarn'] : []), 'bun'];

let PATH: string;

beforeAll(async () => {
  const dependencies = { bun: '^1.3.0', pnpm: '^10.0.0', yarn: '^1.22.22' };
  const modules = await installed({ dependencies, allowScripts: { bun: true } });
  PATH = `${join(modules, '.bin')}${delimiter}${process.env['PATH']}`;
});

describe.each(managers)('a project made with %s', (manager) => {
  /** As a clone has it. */
  let clone: string;

  beforeAll(async () => {
    const cwd = await scratchFolder(`pm-${manager}`);
    const args = ['new', 'made', '--example', 'minimal', '--pm', manager];
    const made = await scaffold(args, { cwd, env: { PATH } });
    expect(made).toMatchObject({ code: 0 });
    clone = join(cwd, 'clone');
    await must('git', ['clone', '--quiet', 'made', 'clone'], { cwd });
  });

  test('passes the steps of its CI', async () => {
    const steps = await stepsOfCi(clone);
    expect(steps.at(-1)).toBe(`${manager} run check`);
    await carryOut(steps);
    const { stdout } = await must('git', ['status', '--porcelain'], { cwd: clone });
    expect(stdout).toBe('');
  });

  test('becomes a server by the steps of its image', async () => {
    const { build, copied, node } = await stepsOfImage(clone);
    await carryOut(build);
    const image = await scratchFolder('image');
    for (const name of copied) {
      const options = { recursive: true, verbatimSymlinks: true };
      await cp(join(clone, name), join(image, name), options);
    }
    const server = await startServer({
      cwd: image,
      env: { DATABASE_URL: 'file:./notes.db' },
      command: [await nodeVersion(node), 'dist/server.js', '--migrate'],
    });
    expect(await server.stop()).toBe(0);
  });

  async function carryOut(steps: readonly string[]): Promise<void> {
    expect(steps.some((step) => step.startsWith('if [ -f '))).toBe(true);
    // The package manager itself is there already.
    for (const step of steps.filter((it) => !it.startsWith('npm install --global'))) {
      await must('sh', ['-c', step], { cwd: clone, env: { PATH } });
    }
  }
});
