import { exitCode, type ExitCode } from '../errors.ts';
import type { App } from '../model/app.ts';
import type { PackageManager } from '../model/package-managers.ts';
import {
  type Diagnostic,
  showDiagnostics,
  report,
  type Report,
  type Session,
  showSteps,
  type Step,
} from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startServer } from './new-server.ts';
import { nextSteps, stepsBesideServer, exampleCommands } from './new-steps.ts';

export type NewResult = Required<Pick<Report, 'changes' | 'diagnostics'>> &
  Pick<Report, 'migration'>;

interface Created {
  readonly app: App;
  readonly folder: string;
  readonly manager: PackageManager;
  readonly isInstalled: boolean;
  readonly result: NewResult;
  /** Problems after the project was written. */
  readonly remarks: readonly Diagnostic[];
}

/** The final report if the server is not started. */
export function reportNew(session: Session, created: Created): ExitCode {
  const { remarks, isInstalled } = created;
  const steps = nextSteps({ ...created, here: session.folder }, { isInstalled });
  const hasFailed = remarks.some(({ severity }) => severity === 'error');
  const title = hasFailed ? 'The project was created. Once this is fixed' : 'Next';
  showDiagnostics(session.terminal, remarks);
  showSteps(session.terminal, title, steps);
  const exit = hasFailed ? exitCode.environment : exitCode.done;
  return reportCreated(session, created, { exit, steps });
}

/** Starts the server and waits until it is stopped. */
export async function startAndStay(session: Session, created: Created): Promise<ExitCode> {
  const { terminal } = session;
  const { app, remarks, folder, manager } = created;
  const server = await startServer(manager, { folder, interruption: terminal.interruption });
  if ('code' in server) return reportNew(session, { ...created, remarks: [...remarks, server] });
  const { url, ended } = server;
  const situation = { here: session.folder, folder, manager };
  const call = exampleCommands(url, app, situation);
  const steps = stepsBesideServer(situation);
  showDiagnostics(terminal, remarks);
  showServer(terminal, url, call);
  showSteps(terminal, 'Next, in another terminal', steps);
  const data = { url, docs: `${url}/docs`, call };
  reportCreated(session, created, { exit: exitCode.done, steps, data });
  const { ok } = await ended;
  return ok || terminal.interruption.aborted ? exitCode.done : exitCode.environment;
}

function reportCreated(
  session: Session,
  { result, remarks, folder }: Created,
  {
    exit,
    steps,
    data,
  }: { readonly exit: ExitCode; readonly steps: readonly Step[]; readonly data?: object },
): ExitCode {
  return report(session, {
    exit,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder, ...data },
  });
}

function showServer(terminal: Terminal, url: string, call: readonly string[]): void {
  if (terminal.quiet) return;
  const { style, write } = terminal.err;
  write(`
  ${style.good('✓')} ${style.accent(url)}  is up; Ctrl-C stops it
    ${style.accent(`${url}/docs`)}  documents every call and lets you try them

${style.strong('Make a call: paste this into another terminal')}
${call.map((line) => `  ${line}\n`).join('')}`);
}
