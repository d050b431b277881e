import { existsSync, statfsSync } from 'node:fs';
import type { Engine } from './built-app.ts';
import { freshDatabase } from './postgres.ts';
import { hanging, run } from './run.ts';

/**
 * What `npm test` of an emitted project prints when it fails; nothing when it passes. Where the engine is told, it gets a
 * database that is at hand; otherwise all is as on its owner's machine.
 */
export async function failuresOfOwnTests(folder: string, engine?: Engine): Promise<string> {
  const env = engine === undefined ? {} : await databases[engine]();
  const limits = [`--testTimeout=${hanging}`, `--hookTimeout=${hanging}`];
  const { code, stdout, stderr } = await run('npm', ['test', '--', ...limits], {
    cwd: folder,
    env,
  });
  return code === 0 ? '' : `${stdout}\n${stderr}`;
}

const databases = { sqlite: inMemory, postgres: ofThisRun };

async function ofThisRun(): Promise<Record<string, string>> {
  return { TEST_DATABASE_URL: await freshDatabase() };
}

/** SQLite waits for the disk at every commit, and nobody misses the files of a test: where there is room, for none. */
function inMemory(): Record<string, string> {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 ** 30 ? { TMPDIR: folder } : {};
}
