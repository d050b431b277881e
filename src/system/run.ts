import { execa, type Options } from 'execa';

export interface Running {
  readonly folder: string;
  readonly interruption: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly ok: boolean;
  /** Both streams as they came, or why the program could not start. */
  readonly output: string;
}

/** Runs a program to its end without a terminal. It never throws: a program that is not there has not gone well. */
export async function run(file: string, args: readonly string[], at: Running): Promise<Ended> {
  const child = start(file, args, at, { stdin: 'ignore', all: true, maxBuffer: 10_000_000 });
  const { failed, all, shortMessage } = await child;
  return { ok: !failed, output: String(all || shortMessage || '') };
}

/** A program that runs until it ends by itself or the run is interrupted; what it prints goes to standard error. */
export function runInForeground(
  file: string,
  args: readonly string[],
  at: Running,
): Promise<Ended> {
  const child = start(file, args, at, {
    stdin: 'ignore',
    stdout: process.stderr,
    stderr: 'inherit',
  });
  return child.then(({ failed, shortMessage }) => ({ ok: !failed, output: shortMessage ?? '' }));
}

/**
 * A group of its own, so that an interruption ends the whole tree (a package manager starts others, which start
 * others) and we go on only when it has ended: nobody writes into a folder that is being taken back.
 */
function start(file: string, args: readonly string[], at: Running, options: Options) {
  const child = execa(file, args, {
    ...options,
    cwd: at.folder,
    env: { ...at.env },
    reject: false,
    detached: hasGroups,
  });
  const stop = () => endGroup(child.pid, child);
  at.interruption.addEventListener('abort', stop);
  if (at.interruption.aborted) stop();
  void child.finally(() => at.interruption.removeEventListener('abort', stop));
  return child;
}

const hasGroups = process.platform !== 'win32';
const patience = 5_000;

function endGroup(pid: number | undefined, child: { kill(): boolean }): void {
  if (pid === undefined || !hasGroups) {
    child.kill();
    return;
  }
  signalGroup(pid, 'SIGTERM');
  setTimeout(() => signalGroup(pid, 'SIGKILL'), patience).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
