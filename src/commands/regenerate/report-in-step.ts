import { exitCode, type ExitCode } from '../../errors.ts';
import { report, type Diagnostic, type Session } from '../../terminal/report.ts';

export function reportInStep(session: Session, diagnostics: readonly Diagnostic[]): ExitCode {
  const text = 'The project is in step with its schema. Nothing was written.\n';
  return report(session, { exit: exitCode.done, diagnostics, text });
}
