import { exitCode, type ExitCode } from '../errors.ts';
import {
  type Diagnostic,
  showDiagnostics,
  report,
  type Session,
  showSteps,
  type Step,
} from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startServer } from './new-server.ts';
import {
  listExampleCommands,
  type NewProject,
  listNextSteps,
  listStepsBesideServer,
} from './new-steps.ts';

interface SetUp {
  readonly isInstalled: boolean;
  /** Problems after the project was written. */
  readonly remarks: readonly Diagnostic[];
}

/** The final report if the server is not started. */
export function reportNew(
  session: Session,
  project: NewProject,
  { isInstalled, remarks }: SetUp,
): ExitCode {
  const steps = listNextSteps(session, project, { isInstalled });
  const hasFailed = remarks.some(({ severity }) => severity === 'error');
  const title = hasFailed ? 'The project was created. Once this is fixed' : 'Next';
  showDiagnostics(session.terminal, remarks);
  showSteps(session.terminal, title, steps);
  const exit = hasFailed ? exitCode.environment : exitCode.done;
  return reportCreated(session, project, { exit, remarks, steps });
}

/** Starts the server and waits until it is stopped. */
export async function startAndStay(
  session: Session,
  project: NewProject,
  setUp: SetUp,
): Promise<ExitCode> {
  const { terminal } = session;
  const { remarks } = setUp;
  const server = await startServer(session, project);
  if ('code' in server)
    return reportNew(session, project, { ...setUp, remarks: [...remarks, server] });
  const { url, ended } = server;
  const call = listExampleCommands(session, project, url);
  const steps = listStepsBesideServer(session, project);
  showDiagnostics(terminal, remarks);
  showServer(terminal, url, call);
  showSteps(terminal, 'Next, in another terminal', steps);
  const data = { url, docs: `${url}/docs`, call };
  reportCreated(session, project, { exit: exitCode.done, remarks, steps, data });
  const { ok } = await ended;
  return ok || terminal.interruption.aborted ? exitCode.done : exitCode.environment;
}

function reportCreated(
  session: Session,
  { changes, migration, diagnostics, folder }: NewProject,
  end: Pick<SetUp, 'remarks'> & {
    readonly exit: ExitCode;
    readonly steps: readonly Step[];
    readonly data?: object;
  },
): ExitCode {
  return report(session, {
    exit: end.exit,
    changes,
    migration,
    diagnostics: [...diagnostics, ...end.remarks],
    next: end.steps.map(({ command }) => command),
    data: { folder, ...end.data },
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
