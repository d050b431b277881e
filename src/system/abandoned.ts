import { run } from './run.ts';

/**
 * Calls `stop` once when the program that started this one is gone, or npm above it: npx ends without a word to its
 * shell on some signals, and the shell without one to us on others. Returns what ends the watch.
 */
export function whenAbandoned(stop: () => void): () => void {
  const parent = process.ppid;
  let npm = process.pid;
  void npmAbove(parent).then((pid) => (npm = pid));
  const watch = setInterval(() => {
    if (process.ppid === parent && isRunning(npm)) return;
    clearInterval(watch);
    stop();
  }, 500);
  return () => clearInterval(watch);
}

/** The process that started the shell in which npx runs a program; without a shell, this one. */
async function npmAbove(shell: number): Promise<number> {
  const isFromNpm = process.env['npm_lifecycle_event'] !== undefined;
  if (!isFromNpm || process.platform === 'win32') return process.pid;
  const at = { folder: process.cwd(), interruption: new AbortController().signal };
  const { answer } = await run('ps', ['-o', 'ppid=,comm=', '-p', String(shell)], at);
  return Number(/^\s*(\d+)\s.*sh$/.exec(answer)?.[1] ?? process.pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
