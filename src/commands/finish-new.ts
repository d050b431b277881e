import { exitCode, type ExitCode } from '../errors.ts';
import type { App } from '../model/app.ts';
import {
  type Diagnostic,
  showDiagnostics,
  report,
  type Report,
  type Session,
  showSteps,
} from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startServer } from './new-server.ts';
import {
  type Situation,
  nextSteps,
  enter,
  stepsBesideServer,
  exampleCommands,
} from './new-steps.ts';

interface Finish extends Situation {
  readonly app: App;
  readonly result: NewResult;
  /** What went wrong after the project was written. */
  readonly remarks: readonly Diagnostic[];
}

export type NewResult = Required<Pick<Report, 'changes' | 'diagnostics'>> &
  Pick<Report, 'migration'>;

/** The final report where scaffold does not start the server. */
export function reportNew(session: Session, created: Finish): ExitCode {
  const { terminal } = session;
  const { result, remarks, folder } = created;
  const steps = nextSteps(created);
  const hasFailed = remarks.some(({ severity }) => severity === 'error');
  showDiagnostics(terminal, remarks);
  showSteps(terminal, hasFailed ? 'The project was created. Once this is fixed' : 'Next', steps);
  return report(session, {
    exit: hasFailed ? exitCode.environment : exitCode.done,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder },
  });
}

/** Starts the server and stays with it until it is stopped. */
export async function startAndStay(session: Session, created: Finish): Promise<ExitCode> {
  const { terminal } = session;
  const { app, result, remarks, folder, manager } = created;
  const server = await startServer(manager, { folder, interruption: terminal.interruption });
  if ('code' in server) return reportNew(session, { ...created, remarks: [...remarks, server] });
  const inside = enter(created);
  const call = exampleCommands(server.url, app, created);
  const steps = [...inside, ...stepsBesideServer(manager)];
  showDiagnostics(terminal, remarks);
  showServer(terminal, server.url, call);
  showSteps(terminal, 'Next, in another terminal', steps);
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

function showServer(terminal: Terminal, url: string, call: readonly string[]): void {
  if (terminal.quiet) return;
  const { style, write } = terminal.err;
  write(`
  ${style.good('✓')} ${style.place(url)}  is up; Ctrl-C stops it
    ${style.place(`${url}/docs`)}  documents every call and lets you try them

${style.strong('Make a call: paste this into another terminal')}
${call.map((line) => `  ${line}\n`).join('')}`);
}
