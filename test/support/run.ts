import { execa } from 'execa';

/** Milliseconds after which a program hangs, on whatever machine. No test goes by how fast one is. */
export const hanging = 600_000;

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeout?: number;
  /** Another user and group, for root. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs a program to its end; never throws for what the program did. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Run> {
  const result = await execa(command, args, {
    cwd: options.cwd,
    env: environment(options.env ?? {}),
    extendEnv: false,
    input: options.input ?? '',
    reject: false,
    timeout: options.timeout ?? hanging,
    killSignal: 'SIGKILL',
    ...(options.uid !== undefined && { uid: options.uid, gid: options.gid }),
  });
  const ended = result.timedOut ? '\nEnded by the time limit of the tests.' : '';
  return { code: result.exitCode ?? -1, stdout: result.stdout, stderr: result.stderr + ended };
}

/** The same, for a program that has to succeed: what it printed is the error's message. */
export async function must(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Run> {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  const line = [command, ...args].join(' ');
  throw new Error(
    `${line} (in ${options.cwd}) exited ${result.code}\n${result.stdout}\n${result.stderr}`,
  );
}

/** Nothing of the test runner's own environment may decide what an emitted server does. */
export function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      value !== undefined &&
      !/^(VITEST|NODE_ENV|NODE_OPTIONS|DATABASE_URL|TEST|AUTH_|DEV$|PROD$|MODE$|BASE_URL|npm_)/.test(
        name,
      )
    ) {
      kept[name] = value;
    }
  }
  return { ...kept, ...extra };
}
