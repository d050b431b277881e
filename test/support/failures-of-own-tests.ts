import type { Engine } from './built-app.ts';
import { freshDatabase } from './postgres.ts';
import { hanging, run } from './run.ts';

/**
 * What `npm test` of an emitted project prints when it fails; nothing when it passes. Where the engine is named, it gets a
 * database that is at hand; otherwise all is as on its owner's machine.
 */
export async function failuresOfOwnTests(
  folder: string,
  engine?: Engine,
  ...asked: readonly string[]
): Promise<string> {
  const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
  const limits = [`--testTimeout=${hanging}`, `--hookTimeout=${hanging}`];
  const { code, stdout, stderr } = await run('npm', ['test', '--', ...limits, ...asked], {
    cwd: folder,
    env,
  });
  return code === 0 ? '' : `${stdout}\n${stderr}`;
}
