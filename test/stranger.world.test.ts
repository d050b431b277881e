import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isDeep } from './support/trials.ts';
import { nodeVersion } from './support/node-version.ts';
import { stepsOfCi, stepsOfImage } from './support/steps.ts';
import {
  clone,
  installPacked,
  packScaffold,
  runsIn,
  startNew,
  stranger,
} from './support/stranger.ts';

let tarball: string;

beforeAll(async () => {
  tarball = await packScaffold();
});

// Each installs a whole project twice, so the newer ones are left to the deep run.
test.each(isDeep ? [20, 22, 24, 26] : [20])(
  'Node %i and npm are all that a stranger needs: no compiler, no warning, an answer, tests that pass',
  async (major) => {
    const person = await stranger(await nodeVersion(major));
    const folder = await installPacked(tarball, person);
    const program = join(folder, 'node_modules/scaffold-server/bin/scaffold.js');
    const server = await startNew(program, person, folder);
    try {
      expect(server.warnings).toEqual([]);
      const registered = await fetch(`${server.url}/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Ann', email: 'ann@example.com', password: 'correct horse' }),
      });
      expect(registered.status).toBe(201);
      expect(existsSync(join(server.project, 'var/my-api.db'))).toBe(true);
    } finally {
      await server.stop();
    }
    // As CI does after the first push, from the lock file that was written here.
    const steps = await stepsOfCi(server.project);
    expect(steps.at(-1)).toBe('npm run check');
    await runsIn(server.project, person, steps.join(' && '));

    await rm(join(server.project, 'node_modules'), { recursive: true });
    const { build } = await stepsOfImage(server.project);
    expect(build[0]).toBe(steps[0]);
    await runsIn(server.project, person, build.join(' && '));
    expect(existsSync(join(server.project, 'dist/server.js'))).toBe(true);
  },
);

test.each([false, true])(
  'npm warns of nothing while this repository is installed on Node 20 (for its tests: %o)',
  async (forTests) => {
    const person = await stranger(await nodeVersion(20));
    const { program, warnings } = await clone(person, { forTests });
    expect(warnings).toEqual([]);
    await runsIn(
      dirname(program),
      person,
      'node scaffold.js check ../templates/examples/blog.yaml',
    );
  },
);
