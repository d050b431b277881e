import { join } from 'node:path';
import { nodeVersion } from './node-version.ts';
import { run, type Run } from './run.ts';

/**
 * The own tests of a project that is run again and again, until one fails. All but one file is as it was in the run before:
 * vitest keeps what it read, and a Node that can keeps what it compiled.
 */
export async function runTests(
  folder: string,
  env: Readonly<Record<string, string>>,
  ...asked: readonly string[]
): Promise<Run> {
  const cache = join(folder, '.cache');
  const options = [
    '--bail=1',
    '--experimental.fsModuleCache',
    `--experimental.fsModuleCachePath=${cache}`,
  ];
  const vitest = 'node_modules/vitest/vitest.mjs';
  return run(await nodeVersion(24), [vitest, 'run', ...options, ...asked], {
    cwd: folder,
    env: { ...env, NODE_COMPILE_CACHE: cache },
  });
}
