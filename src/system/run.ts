import { setTimeout as wait } from 'node:timers/promises';
import type { Options } from 'execa';

export interface ProcessOptions {
  readonly folder: string;
  readonly interruption: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** The standard input of the program; empty if absent. */
  readonly input?: string;
}

export interface ProcessResult {
  readonly ok: boolean;
  /** Both streams in order, or why the program could not start. */
  readonly output: string;
  /** Standard output only. */
  readonly answer: string;
}

type Runner = (file: string, args: readonly string[], at: ProcessOptions) => Promise<ProcessResult>;

/** Runs a program to its end, without a terminal. Never throws: a missing program has `ok: false`. */
export const run: Runner = (...program) => start(program, { all: true });

/** Runs a program until it ends or is interrupted. Its output goes to standard error. */
export const runInForeground: Runner = (...program) =>
  start(program, { stdout: process.stderr, stderr: 'inherit' });

async function start(
  [file, args, { folder, interruption, env, input }]: Parameters<Runner>,
  options: Options,
): Promise<ProcessResult> {
  // Most runs start no program, and execa has a quarter of all modules.
  const { execa } = await import('execa');
  const child = execa(file, args, {
    ...options,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    cwd: folder,
    env: { ...env },
    reject: false,
    detached: hasGroups,
  });
  const stop = () => {
    signalAll(child, 'SIGTERM');
    setTimeout(() => signalAll(child, 'SIGKILL'), killDelay).unref();
  };
  interruption.addEventListener('abort', stop);
  if (interruption.aborted) stop();
  const { failed, all, stdout, shortMessage } = await child;
  interruption.removeEventListener('abort', stop);
  if (interruption.aborted) await untilGone(child);
  return { ok: !failed, output: String(all || shortMessage || ''), answer: String(stdout ?? '') };
}

interface RunningChild {
  readonly pid?: number;
  kill(signal: NodeJS.Signals): boolean;
}

/**
 * A child has its own process group, so that an interruption ends all its descendants and nothing writes into a folder
 * that is being removed.
 */
const hasGroups = process.platform !== 'win32';
const killDelay = 2_000;

/** Children may outlive the process, and on a busy machine even SIGKILL for a while. A zombie stays forever. */
async function untilGone(child: RunningChild): Promise<void> {
  if (await isGoneWithin(killDelay, child)) return;
  signalAll(child, 'SIGKILL');
  await isGoneWithin(10_000, child);
}

async function isGoneWithin(milliseconds: number, child: RunningChild): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isThere(child) && performance.now() < deadline) await wait(20);
  return !isThere(child);
}

function isThere({ pid }: RunningChild): boolean {
  return pid !== undefined && hasGroups && sendTo(-pid, 0);
}

function signalAll(child: RunningChild, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && hasGroups) sendTo(-child.pid, signal);
  else child.kill(signal);
}

function sendTo(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false; // it has ended
  }
}

/**
 * Calls `stop` once if the program that started this one, or npm above it, has ended. On some signals, npx does not
 * tell its shell, or the shell does not tell us. Returns a function that stops watching.
 */
export function whenAbandoned(stop: () => void): () => void {
  const parent = process.ppid;
  let npm = process.pid;
  void npmAbove(parent).then((pid) => (npm = pid));
  const watch = setInterval(() => {
    if (process.ppid === parent && sendTo(npm, 0)) return;
    clearInterval(watch);
    stop();
  }, 500);
  return () => clearInterval(watch);
}

/** The process that started the shell in which npx runs a program; this one if there is no shell. */
async function npmAbove(shell: number): Promise<number> {
  const isFromNpm = process.env['npm_lifecycle_event'] !== undefined;
  if (!isFromNpm || process.platform === 'win32') return process.pid;
  const at = { folder: process.cwd(), interruption: new AbortController().signal };
  const { answer } = await run('ps', ['-o', 'ppid=,comm=', '-p', String(shell)], at);
  return Number(/^\s*(\d+)\s.*sh$/.exec(answer)?.[1] ?? process.pid);
}
