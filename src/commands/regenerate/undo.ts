import { printCount, inTicks } from '../../words.ts';
import { exitCode, type ExitCode, UserError } from '../../errors.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { planUndo } from '../../project/journal/plan-undo.ts';
import { migrationAt } from '../../project/paths.ts';
import { isWritten, type Plan } from '../../project/plan.ts';
import { makeCancelled } from '../../terminal/ask.ts';
import { showDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { askStatus } from '../database-status.ts';
import { lockAndRepair } from '../lock-and-repair.ts';
import { isReadOnly, type Run } from './request.ts';
import { listReportedChanges, showPlan } from './show-plan.ts';
import { scriptOf } from '../../system/package-manager.ts';

/** Undoes the last run. The schema keeps its edits. */
export async function runUndo(session: Session, run: Run): Promise<ExitCode> {
  if (isReadOnly(run.request)) {
    return reportUndo(session, run, await planUndo(run.folder));
  }
  return lockAndRepair(session, run.folder, async (earlier) => {
    const plan = await planUndo(run.folder);
    await refuseApplied(session, run, plan);
    if (session.terminal.interruption.aborted) throw makeCancelled();
    await applyPlan(run.folder, plan, { undoable: false });
    return reportUndo(session, { ...run, earlier }, plan);
  });
}

function reportUndo(session: Session, run: Run, plan: Plan): ExitCode {
  const { request, earlier } = run;
  const { terminal } = session;
  const diagnostics = migrationWarnings(plan, run);
  const count = plan.changes.filter(isWritten).length;
  showPlan(terminal, { plan }, request);
  showDiagnostics(terminal, diagnostics);
  if (!terminal.quiet) {
    const state = isReadOnly(request)
      ? 'would be restored. Nothing was written.'
      : 'restored to the state before the last run. Your schema keeps its edits.';
    terminal.err.write(`\n${printCount(count, 'file')} ${state}\n`);
  }
  return report(session, {
    exit: exitCode.done,
    changes: listReportedChanges(plan, request),
    diagnostics: [...earlier, ...diagnostics],
  });
}

/** Throws if the database has applied a migration of the run, since removing it would prevent a rollback. */
async function refuseApplied({ terminal }: Session, { folder }: Run, plan: Plan): Promise<void> {
  const gone = goneMigrations(plan);
  if (gone.length === 0) return;
  const answer = await askStatus({ folder, interruption: terminal.interruption });
  if (!('status' in answer)) return;
  const { pending, underWay } = answer.status;
  const begun = gone.find((id) => underWay?.id === id);
  const applied = gone.filter((id) => !pending.includes(id) || id === begun);
  if (applied.length === 0) return;
  const part = begun === undefined ? '' : ' in part';
  const message = `The database has applied ${inTicks(applied).join(', ')}${part}, which \`--undo\` would delete.`;
  const end =
    begun === undefined
      ? ''
      : `Let it end first: \`${scriptOf(folder, underWay?.command ?? '')}\`. `;
  throw new UserError('SCF515', message, {
    exit: exitCode.decision,
    help: `${end}${applied.every((id) => hasWayBack(plan, id)) ? rollBackHelp(folder) : noWayBackHelp}`,
  });
}

const rollBackHelp = (folder: string) =>
  `Roll it back: \`${scriptOf(folder, 'db:rollback')}\`, then \`npx scaffold regenerate --undo\`. Or change the schema and run \`npx scaffold regenerate\`: the next migration continues from there.`;
const noWayBackHelp =
  'Not all of that has a `down.sql`: change the schema and run `npx scaffold regenerate`, and the next migration continues from there; or restore the database as it was before.';

function hasWayBack({ changes }: Plan, id: string): boolean {
  return changes.some(({ path }) => path === `migrations/${id}/down.sql`);
}

function goneMigrations({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ path, after }) => (after === undefined && migrationAt(path)) || []);
}

/** Warns that other databases may have applied a migration that is removed. */
function migrationWarnings(plan: Plan, { folder, request }: Run): Diagnostic[] {
  const rollback = `\`${scriptOf(folder, 'db:rollback')}\``;
  const way = isReadOnly(request)
    ? `roll it back first: ${rollback}, then \`--undo\``
    : `restore it with \`npx scaffold regenerate\`, roll it back with ${rollback}, and run \`--undo\` again`;
  return goneMigrations(plan).map((id) => ({
    code: 'SCF515',
    severity: 'warning',
    message: `The migration \`${id}\` ${isReadOnly(request) ? 'would be' : 'is'} removed too. Its changes to a database stay until it is rolled back there.`,
    help: `If it was never applied, or was rolled back, there is nothing to do. Otherwise ${way}.`,
  }));
}
