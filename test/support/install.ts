import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from './cache-folder.ts';
import { root } from './root.ts';
import { hanging, must } from './run.ts';
import { say } from './say.ts';
import { expectWorld } from './tier.ts';

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/**
 * Gives an emitted project its `node_modules`: a link into a cache that holds one real `npm install` for each set of
 * dependencies.
 */
export async function install(project: string): Promise<void> {
  const modules = await installed(await readDependencies(project));
  await rm(join(project, 'node_modules'), { recursive: true, force: true });
  await symlink(modules, join(project, 'node_modules'), 'dir');
}

/** For a project between two engines, the packages of both: links to what each has, without one more install. */
export async function installBoth(project: string): Promise<void> {
  const folder = join(project, 'node_modules');
  await rm(folder, { recursive: true, force: true });
  for (const engine of ['postgres', 'sqlite']) {
    const like = join(root, 'fixtures/apps/minimal', engine);
    await linkAll(await installed(await readDependencies(like)), folder);
  }
}

async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name.startsWith('@')) await linkAll(join(from, name), join(to, name));
    else if (!existsSync(join(to, name))) await symlink(join(from, name), join(to, name));
  }
}

/** The folder `node_modules` that holds these dependencies, installed by the first caller of any process. */
export async function installed(wanted: Dependencies): Promise<string> {
  expectWorld('installs packages');
  const { dependencies, optionalDependencies, devDependencies, allowScripts, overrides } = wanted;
  const text = JSON.stringify(
    {
      private: true,
      type: 'module',
      dependencies,
      optionalDependencies,
      devDependencies,
      allowScripts,
      overrides,
    },
    null,
    2,
  );
  const key = createHash('sha256').update(
    `${process.platform} ${process.arch} ${process.versions.modules}\n${text}`,
  );
  const folder = join(cacheFolder, 'apps', key.digest('hex').slice(0, 16));
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;

  await withLock(`${folder}.lock`, async () => {
    if (existsSync(modules)) return;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    say(`installing ${names.length} packages of an emitted project (once)`);
    const staging = `${folder}.new`;
    await rm(staging, { recursive: true, force: true });
    await startFrom(await anyInstalled(), staging);
    await writeFile(join(staging, 'package.json'), text);
    const npm = (...args: string[]) => must('npm', args, { cwd: staging });
    await npm('install', '--no-audit', '--no-fund');
    await rename(staging, folder);
  });
  return modules;
}

/** Sets differ by a few packages: npm adds and removes those in a copy of another one, in a third of the time. */
async function startFrom(other: string | undefined, staging: string): Promise<void> {
  if (other === undefined) await mkdir(staging, { recursive: true });
  else cpSync(other, staging, { recursive: true, verbatimSymlinks: true });
}

async function anyInstalled(): Promise<string | undefined> {
  const folders = await readdir(join(cacheFolder, 'apps'));
  const names = folders.filter((name) => /^[0-9a-f]{16}$/.test(name));
  return names.length === 0 ? undefined : join(cacheFolder, 'apps', names[0] ?? '');
}

export async function readDependencies(project: string): Promise<Dependencies> {
  const read: Dependencies = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  return read;
}

/** A folder is made by one process only; the others wait until it is gone. */
export async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  await mkdir(join(lock, '..'), { recursive: true });
  const deadline = performance.now() + hanging;
  while (!(await taken(lock))) {
    if (performance.now() > deadline)
      throw new Error(`${lock} is left from a run that died: delete it.`);
    await sleep(250);
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** The lock names its process, so that one left by a dead process is taken over. */
async function taken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(lock, 'utf8').catch(() => 'NaN'));
    if (Number.isInteger(holder) && holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
