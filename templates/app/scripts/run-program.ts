import { spawnSync } from 'node:child_process';

/** How long a program may take to end by itself, on a signal that its terminal has sent to it as well. */
const waitMilliseconds = 2000;

/** Calls `stop`, which should end the program, when this process, or npm above it, is stopped. */
export function whenStopped(stop: () => void): NodeJS.Timeout {
  process.on('SIGTERM', stop);
  // A terminal sends these to the program, too. One that only this process gets is meant for the program.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => setTimeout(stop, waitMilliseconds).unref());
  }
  return whenAbandoned(stop);
}

/** On some signals, npm does not tell its shell, or the shell does not tell this process. */
export function whenAbandoned(stop: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const watch = setInterval(() => {
    if (process.ppid === parent && isRunning(npm)) return;
    clearInterval(watch);
    stop();
  }, 500);
  return watch;
}

/** The process that started the shell which runs a script of `package.json`; without a shell, this one. */
function npmAbove(shell: number): number {
  const isScript = process.env.npm_lifecycle_event !== undefined;
  if (!isScript || process.platform === 'win32') return process.pid;
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(shell)]);
  return Number(/^\s*(\d+)\s.*sh\s*$/.exec(String(stdout))?.[1] ?? process.pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
