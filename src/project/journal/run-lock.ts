import { parseJson } from '../../json.ts';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { exitCode, UserError, hasCode } from '../../errors.ts';
import { unlessGone } from './durable.ts';

/** Runs `work` while no other run writes into the project. Throws a `UserError` (SCF505) if another one does. */
export async function withRunLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, '.scaffold/run.lock');
  const name = `${process.pid}-${randomUUID()}`;
  await acquire(lock, name);
  try {
    await removeLeftovers(folder);
    return await work();
  } finally {
    await fs.unlink(join(lock, name)).catch(unlessGone);
    await removeEmpty(lock);
  }
}

type Holder = Readonly<z.infer<typeof lockShape>>;

const lockShape = z.object({
  pid: z.number(),
  host: z.string(),
  /** When the process started, in seconds. It tells processes apart, since ids are reused. */
  started: z.number(),
});

function thisProcess(): Holder {
  const started = Math.round(Date.now() / 1000 - process.uptime());
  return { pid: process.pid, host: hostname(), started };
}

/**
 * Acquires the lock: a folder with a file that names its holder. Only an empty folder can be replaced, and each process
 * uses its own file name, so only one of several processes gets an abandoned lock.
 */
async function acquire(lock: string, name: string): Promise<void> {
  const own = `${lock}.${name}`;
  await fs.mkdir(own);
  try {
    await fs.writeFile(join(own, name), JSON.stringify(thisProcess()));
    if (await replaceLock(lock, own)) return;
    await removeStale(lock);
    if (!(await replaceLock(lock, own))) throw inUse();
  } finally {
    await fs.rm(own, { recursive: true, force: true });
  }
}

async function replaceLock(lock: string, own: string): Promise<boolean> {
  try {
    await fs.rename(own, lock);
    return true;
  } catch (error) {
    // The lock is held. Windows cannot replace a folder at all.
    if (hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM'])) return false;
    throw error;
  }
}

/** Throws if the holder is alive. */
async function removeStale(lock: string): Promise<void> {
  for (const name of await fs.readdir(lock).catch(() => [])) {
    const file = join(lock, name);
    const text = await fs.readFile(file, 'utf8').catch(() => '');
    const { data: holder } = lockShape.safeParse(parseJson(text));
    if (holder && isAlive(holder)) throw inUse(holder);
    await fs.unlink(file).catch(unlessGone);
  }
  await removeEmpty(lock);
}

async function removeEmpty(lock: string): Promise<void> {
  // By now, another process may hold it.
  await fs.rmdir(lock).catch(() => undefined);
}

/** Removes files of processes that ended while they asked for the lock. */
async function removeLeftovers(folder: string): Promise<void> {
  const home = join(folder, '.scaffold');
  for (const name of await fs.readdir(home)) {
    const [, pid] = /^run\.lock\.(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await fs.rm(join(home, name), { recursive: true, force: true });
    }
  }
}

function isAlive({ pid, host, started }: Holder): boolean {
  const self = thisProcess();
  // A process on another machine may be alive.
  if (host !== self.host) return true;
  if (pid === self.pid) return Math.abs(started - self.started) <= 1;
  return isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, ['EPERM']);
  }
}

function inUse(holder?: Holder): UserError {
  const who = holder ? ` (process ${holder.pid} on ${holder.host})` : '';
  return new UserError('SCF505', `Another run is under way in this project${who}.`, {
    exit: exitCode.environment,
    help: 'Wait for it to finish. If that machine is gone, remove `.scaffold/run.lock`.',
  });
}
