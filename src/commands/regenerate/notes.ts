import { exitCode, type ExitCode } from '../../errors.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import type { Terminal } from '../../terminal/terminal.ts';

const messages = {
  finished: 'An earlier run was interrupted while writing; its last files have been written now.',
  undone: 'An earlier run was interrupted while writing; what it had written has been undone.',
} as const;

/** What was put right before this run began. */
export function repairNotes(
  terminal: Terminal,
  repair: 'nothing' | keyof typeof messages,
): readonly Diagnostic[] {
  if (repair === 'nothing') return [];
  const notes = [{ code: 'SCF512', severity: 'note', message: messages[repair] }] as const;
  printDiagnostics(terminal, notes);
  return notes;
}

export function reportInStep(session: Session, diagnostics: readonly Diagnostic[]): ExitCode {
  const verdict = 'The project is in step with its schema. Nothing was written.';
  const text = `${verdict}\nYour code was not compiled: \`npx scaffold check\` does that.\n`;
  return report(session, { exit: exitCode.done, diagnostics, text });
}
