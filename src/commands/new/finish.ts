import { exitCode, type ExitCode } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { exampleCall } from '../../render/views/example-call.ts';
import {
  printDiagnostics,
  report,
  type Diagnostic,
  type Report,
  type Session,
} from '../../terminal/report.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { exampleCommands } from './example-commands.ts';
import { nextSteps, printSteps, stepsBeside, type Situation } from './next-steps.ts';
import { startServer } from './start.ts';

export interface Finish {
  readonly app: App;
  readonly result: NewResult;
  /** What went wrong after the project was written. */
  readonly remarks: readonly Diagnostic[];
  readonly situation: Situation;
}

export type NewResult = Required<Pick<Report, 'changes' | 'diagnostics'>> &
  Pick<Report, 'migration'>;

/** The last word of a run that leaves the starting to the user. */
export function finish(session: Session, { result, remarks, situation }: Finish): ExitCode {
  const { terminal } = session;
  const steps = nextSteps(situation);
  const hasFailed = remarks.some(({ severity }) => severity === 'error');
  printDiagnostics(terminal, remarks);
  printSteps(terminal, hasFailed ? 'The project is there. Once that is fixed' : 'Next', steps);
  return report(session, {
    exit: hasFailed ? exitCode.environment : exitCode.done,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder: situation.folder },
  });
}

/** Starts the server and stays with it until it is stopped. */
export async function startAndStay(session: Session, all: Finish): Promise<ExitCode> {
  const { terminal } = session;
  const { app, result, remarks, situation } = all;
  const { folder, manager } = situation;
  const server = await startServer(manager, { folder, interruption: terminal.interruption });
  if ('code' in server) {
    return finish(session, { ...all, remarks: [...remarks, server] });
  }
  const call = exampleCommands(server.url, exampleCall(app));
  const steps = stepsBeside(situation);
  printDiagnostics(terminal, remarks);
  printServer(terminal, server.url, call);
  printSteps(terminal, 'Next, in another terminal', steps);
  report(session, {
    exit: exitCode.done,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder, url: server.url, docs: `${server.url}/docs`, call },
  });
  const { ok } = await server.ended;
  return ok || terminal.interruption.aborted ? exitCode.done : exitCode.environment;
}

function printServer(terminal: Terminal, url: string, call: readonly string[]): void {
  if (terminal.quiet) return;
  const { style, write } = terminal.err;
  write(`
  ${style.good('✓')} ${style.place(url)}  is up; Ctrl-C stops it
    ${style.place(`${url}/docs`)}  documents every call and lets you try them

${style.strong('Sign up, sign in, make a call: paste this into another terminal')}
${call.map((line) => `  ${line}\n`).join('')}`);
}
