import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import { hasCode, unlessGone } from './durable.ts';
import { parseJson } from '../parse-json.ts';

/** Runs `work` while no other run of ours writes in the project; throws a `UserError` (SCF505) when one does. */
export async function withRunLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = join(folder, '.scaffold/run.lock');
  await acquire(file, JSON.stringify(thisProcess()));
  try {
    await removeLeftovers(folder);
    return await work();
  } finally {
    await fs.unlink(file).catch(unlessGone);
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in seconds: pids come again. */
  readonly started: number;
}

function thisProcess(): Holder {
  const started = Math.round(Date.now() / 1000 - process.uptime());
  return { pid: process.pid, host: hostname(), started };
}

async function acquire(file: string, mine: string): Promise<void> {
  if (await create(file, mine)) return;
  const found = await fs.readFile(file, 'utf8').catch(() => '');
  const holder = parseHolder(found);
  if (holder && isAlive(holder)) throw inUse(holder);
  if ((await takeAway(file, found)) && (await create(file, mine))) return;
  throw inUse(holder);
}

/** As a whole or not at all: nobody reads half a lock. */
async function create(file: string, text: string): Promise<boolean> {
  const own = besides(file);
  try {
    await fs.writeFile(own, text, { flag: 'wx' });
    await fs.link(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) return false;
    throw error;
  } finally {
    await fs.unlink(own).catch(unlessGone);
  }
}

/** Of several that find a lock left behind, one takes it away; a lock that took its place meanwhile is put back. */
async function takeAway(file: string, stale: string): Promise<boolean> {
  const aside = besides(file);
  try {
    await fs.rename(file, aside);
  } catch (error) {
    unlessGone(error);
    return true;
  }
  const isStale = (await fs.readFile(aside, 'utf8')) === stale;
  if (!isStale) await fs.link(aside, file).catch(() => undefined);
  await fs.unlink(aside);
  return isStale;
}

function besides(file: string): string {
  return `${file}.${process.pid}-${randomUUID()}`;
}

/** What processes left that ended while they asked for the lock. */
async function removeLeftovers(folder: string): Promise<void> {
  const home = join(folder, '.scaffold');
  for (const name of await fs.readdir(home)) {
    const [, pid] = /^run\.lock\.(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await fs.unlink(join(home, name)).catch(unlessGone);
    }
  }
}

function isAlive({ pid, host, started }: Holder): boolean {
  const self = thisProcess();
  // Of a process elsewhere nothing is known.
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

function parseHolder(text: string): Holder | undefined {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) return undefined;
  if (!('pid' in json && 'host' in json && 'started' in json)) return undefined;
  const { pid, host, started } = json;
  return typeof pid === 'number' && typeof host === 'string' && typeof started === 'number'
    ? { pid, host, started }
    : undefined;
}

function inUse(holder: Holder | undefined): UserError {
  const who = holder ? ` (process ${holder.pid} on ${holder.host})` : '';
  return new UserError('SCF505', `Another run is under way in this project${who}.`, {
    exit: exitCode.environment,
    help: 'Wait for it. If that machine is gone, remove `.scaffold/run.lock`.',
  });
}
