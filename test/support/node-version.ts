import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { withLock } from './install.ts';
import { must } from './run.ts';
import { say } from './say.ts';
import { expectWorld } from './tier.ts';

/** The program of another major version of Node, from the npm packages that hold nothing else. */
export async function nodeVersion(major: number): Promise<string> {
  expectWorld('takes another Node');
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cacheFolder, 'node', String(major));
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(program)) return;
    say(`installing Node ${major} from npm (once)`);
    await mkdir(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${major}`];
    await must('npm', args, { cwd: folder });
  });
  return program;
}
