import { exitCode, nothingWritten, type ExitCode } from '../errors.ts';
import { present } from '../present.ts';
import { formatProblems, type Problem, type ProblemSource } from '../schema/problem.ts';
import { report, type Diagnostic, type Session } from '../terminal/report.ts';
import { colorProblems } from '../terminal/style.ts';

/** Reports all problems of an invalid schema, with status 3. */
export function reportProblems(
  session: Session,
  source: ProblemSource,
  problems: readonly Problem[],
): ExitCode {
  if (!session.terminal.json) showProblems(session, source, problems);
  return report(session, {
    exit: exitCode.schema,
    diagnostics: toDiagnostics(source, problems),
    data: { disk: source.disk ?? nothingWritten },
  });
}

export function showWarnings(
  session: Session,
  source: ProblemSource,
  problems: readonly Problem[],
): void {
  if (problems.length > 0 && !session.terminal.quiet) showProblems(session, source, problems);
}

function showProblems(
  { terminal }: Session,
  source: ProblemSource,
  problems: readonly Problem[],
): void {
  const { style, write } = terminal.err;
  write(colorProblems(style, formatProblems(problems, source)));
}

export function toDiagnostics({ file }: ProblemSource, problems: readonly Problem[]): Diagnostic[] {
  return problems.map(({ code, severity, message, position, help }) => ({
    code,
    severity,
    message,
    file,
    line: position.line,
    column: position.column,
    ...present({ help }),
  }));
}
