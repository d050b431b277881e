import { exitCode, type ExitCode } from '../../errors.ts';
import type { Plan } from '../../project/plan.ts';
import { recover } from '../../project/journal/recover.ts';
import { withRunLock } from '../../project/journal/run-lock.ts';
import { applyUndo, planUndo } from '../../project/journal/undo.ts';
import { cancelled } from '../../terminal/ask.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { writes } from './effect.ts';
import { repairNotes } from './repair-notes.ts';
import { onlyLooks, type Run } from './request.ts';
import { reportedChanges, showPlan } from './show-plan.ts';

/** Takes the last run back; the schema keeps its edits. */
export async function runUndo(session: Session, run: Run): Promise<ExitCode> {
  if (onlyLooks(run.request)) {
    return reportUndo(session, run, { plan: await planUndo(run.folder), before: [] });
  }
  return withRunLock(run.folder, async () => {
    const before = repairNotes(session.terminal, await recover(run.folder));
    const plan = await planUndo(run.folder);
    if (session.terminal.interruption.aborted) throw cancelled();
    await applyUndo(run.folder, plan);
    return reportUndo(session, run, { plan, before });
  });
}

interface Undone {
  readonly plan: Plan;
  readonly before: readonly Diagnostic[];
}

function reportUndo(session: Session, { request }: Run, { plan, before }: Undone): ExitCode {
  const { terminal } = session;
  const diagnostics = migrationWarnings(plan);
  const count = plan.changes.filter(writes).length;
  const files = count === 1 ? 'One file' : `${count} files`;
  showPlan(terminal, { plan }, request);
  printDiagnostics(terminal, diagnostics);
  if (!terminal.quiet) {
    const state = onlyLooks(request)
      ? 'would be as before. Nothing was written.'
      : 'as before the last run. Your schema keeps its edits.';
    terminal.err.write(`\n${files} ${state}\n`);
  }
  return report(session, {
    exit: exitCode.done,
    changes: reportedChanges(plan, request),
    diagnostics: [...before, ...diagnostics],
  });
}

/** A database may know more than the folder does now. */
function migrationWarnings({ changes }: Plan): Diagnostic[] {
  const gone = changes.flatMap(({ path, after }) => {
    const id = /^migrations\/([^/]+)\/up\.sql$/.exec(path)?.[1];
    return id !== undefined && after === undefined ? [id] : [];
  });
  return gone.map((id) => ({
    code: 'SCF515',
    severity: 'warning',
    message: `The migration \`${id}\` is taken back too; a database that has applied it keeps it.`,
    help: 'Take it out of the database before: `npm run db:rollback`, then `--undo`.',
  }));
}
