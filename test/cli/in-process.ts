import { runCheck } from '../../src/commands/check.ts';
import { type Job, createProgram } from '../../src/commands/command-line.ts';
import { runRegenerate } from '../../src/commands/regenerate.ts';
import type { RegenerateRequest } from '../../src/commands/regenerate/request.ts';
import { runResolve, type ResolveRequest } from '../../src/commands/resolve.ts';
import type { ExitCode } from '../../src/errors.ts';
import { reportFailure } from '../../src/terminal/failure.ts';
import type { Session } from '../../src/terminal/report.ts';
import { recordingSession } from '../support/recording-session.ts';
import type { Ran } from './scaffold.ts';

type Options = NonNullable<Parameters<typeof recordingSession>[1]>;

/** The commands in this process, as `cli.ts` runs them: a process of their own costs half a second each. */
export function regenerate(
  folder: string,
  request: Partial<RegenerateRequest> = {},
  options?: Options,
): Promise<Ran> {
  return run(folder, (session) => runRegenerate(session, { dir: '.', ...request }), options);
}

export function resolve(folder: string, request: Partial<ResolveRequest> = {}): Promise<Ran> {
  return run(folder, (session) => runResolve(session, { paths: [], ...request }));
}

export function check(folder: string): Promise<Ran> {
  return run(folder, (session) => runCheck(session, '.'));
}

/** A command line that can be understood, with nobody to ask; the last line end is left out, as of a process. */
export async function commandLine(args: readonly string[], { cwd }: { cwd: string }): Promise<Ran> {
  const jobs: Job[] = [];
  const program = createProgram((...job) => jobs.push(job)).parse(args, { from: 'user' });
  const { json = false, quiet = json, yes = false } = program.opts<Options>();
  const work = async (session: Session) => {
    const [[command = '', perform] = []] = jobs;
    if (!perform) throw new Error(`${args.join(' ')} asks for nothing.`);
    return perform({ ...session, command });
  };
  const { code, stdout, stderr } = await run(cwd, work, { json, quiet, yes }, false);
  return { code, stdout: stdout.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, '') };
}

async function run(
  folder: string,
  work: (session: Session) => Promise<ExitCode>,
  options?: Options,
  debug = true,
): Promise<Ran> {
  const { session, printed } = recordingSession(folder, options);
  try {
    return { code: await work(session), ...printed() };
  } catch (error) {
    return { code: await reportFailure(session, error, { debug }), ...printed() };
  }
}
