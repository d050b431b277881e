import { join } from 'node:path';
import { execa, type Options } from 'execa';
import { root } from '../support/root.ts';
import { environment, hanging } from '../support/run.ts';

/** The program as users start it. */
export const program = join(root, 'bin/scaffold.js');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `closed` is `< /dev/null`; a text comes through a pipe; `open` is a pipe on which nothing ever comes. */
  readonly stdin?: 'closed' | 'open' | { readonly text: string };
}

/** Runs it without a terminal: it must never hang. */
export async function scaffold(args: readonly string[], around: Surroundings): Promise<Ran> {
  const child = execa(process.execPath, [program, ...args], {
    ...inputOf(around.stdin ?? 'closed'),
    cwd: around.cwd,
    env: surroundings(around.env),
    extendEnv: false,
    reject: false,
    timeout: hanging,
    killSignal: 'SIGKILL',
  });
  const { exitCode, stdout, stderr, timedOut } = await child;
  if (timedOut) throw new Error(`scaffold ${args.join(' ')} hangs\n${stdout}\n${stderr}`);
  return { code: exitCode ?? -1, stdout: String(stdout), stderr: String(stderr) };
}

function inputOf(stdin: NonNullable<Surroundings['stdin']>): Options {
  if (stdin === 'closed') return { stdin: 'ignore' };
  return stdin === 'open' ? { stdin: 'pipe' } : { input: stdin.text };
}

/** Without what would decide about questions and colours, unless the test says so. */
export function surroundings(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { CI: _ci, NO_COLOR: _no, FORCE_COLOR: _force, ...rest } = environment({});
  return { ...rest, ...extra };
}
