import { runCheck } from '../../src/commands/check.ts';
import { runRegenerate } from '../../src/commands/regenerate.ts';
import type { RegenerateRequest } from '../../src/commands/regenerate/request.ts';
import { runResolve, type ResolveRequest } from '../../src/commands/resolve.ts';
import { runCommandLine } from '../../src/commands/run-command-line.ts';
import type { ExitCode } from '../../src/errors.ts';
import { reportFailure } from '../../src/terminal/failure.ts';
import type { Session } from '../../src/terminal/report.ts';
import { recordingSession } from '../support/recording-session.ts';
import type { Ran } from './scaffold.ts';

type Options = NonNullable<Parameters<typeof recordingSession>[1]>;

/** The commands in this process: a process of their own costs half a second each. */
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

/** A command line, with nobody to ask; the last line end is left out, as of a process. */
export async function commandLine(args: readonly string[], { cwd }: { cwd: string }): Promise<Ran> {
  let { session, printed } = recordingSession(cwd);
  let answered = '';
  const code = await runCommandLine(args, {
    folder: cwd,
    answer: (text) => void (answered += text),
    async openTerminal({ json = false, quiet = json, yes = false }) {
      ({ session, printed } = recordingSession(cwd, { json, quiet, yes }));
      return session.terminal;
    },
  });
  const { stdout, stderr } = printed();
  const whole = `${answered}${stdout}`;
  return { code, stdout: whole.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, '') };
}

async function run(
  folder: string,
  work: (session: Session) => Promise<ExitCode>,
  options?: Options,
): Promise<Ran> {
  const { session, printed } = recordingSession(folder, options);
  try {
    return { code: await work(session), ...printed() };
  } catch (error) {
    return { code: await reportFailure(session, error, { debug: true }), ...printed() };
  }
}
