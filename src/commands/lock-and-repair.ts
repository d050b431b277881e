import { withRunLock } from '../project/journal/run-lock.ts';
import { isInterrupted } from '../project/project-folder.ts';
import { showDiagnostics, type Diagnostic, type Session } from '../terminal/report.ts';

/** Runs `work` while no other run writes, after repairing what a crash left. `earlier`: the report of that. */
export function lockAndRepair<T>(
  session: Session,
  folder: string,
  work: (earlier: readonly Diagnostic[]) => Promise<T>,
): Promise<T> {
  return withRunLock(folder, async () => work(await repair(session, folder)));
}

async function repair({ terminal }: Session, folder: string): Promise<readonly Diagnostic[]> {
  if (!isInterrupted(folder)) return [];
  const { recover } = await import('../project/journal/replay.ts');
  const repaired = await recover(folder);
  if (repaired === 'nothing') return [];
  const notes = [{ code: 'SCF512', severity: 'note', message: messages[repaired] }] as const;
  showDiagnostics(terminal, notes);
  return notes;
}

const messages = {
  finished: 'An earlier run was interrupted while writing; its last files have been written now.',
  undone: 'An earlier run was interrupted while writing; what it had written has been undone.',
} as const;
