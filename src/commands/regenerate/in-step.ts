import { exitCode, type ExitCode } from '../../errors.ts';
import { report, type Diagnostic, type Session } from '../../terminal/report.ts';

export function reportInStep(session: Session, diagnostics: readonly Diagnostic[]): ExitCode {
  const verdict = 'The project is in step with its schema. Nothing was written.';
  const text = `${verdict}\nYour code was not compiled: \`npx scaffold check\` does that.\n`;
  return report(session, { exit: exitCode.done, diagnostics, text });
}
