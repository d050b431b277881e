import { exitCode, type ExitCode } from '../errors.ts';
import { applyPlan } from '../project/journal/apply-plan.ts';
import { readProject, type Project } from '../project/read-project.ts';
import { recover } from '../project/journal/recover.ts';
import { withRunLock } from '../project/journal/run-lock.ts';
import { settle, type Side } from '../project/settle.ts';
import { report, type Session } from '../terminal/report.ts';
import { conflictDiagnostics, openConflicts, printConflicts } from './conflicts.ts';
import { repairNotes } from './regenerate/repair-notes.ts';
import { findConflicted, isAmong } from './resolve/find-conflicted.ts';
import { reportSettled } from './resolve/report-settled.ts';

export interface ResolveRequest {
  readonly paths: readonly string[];
  readonly ours?: boolean;
  readonly theirs?: boolean;
  readonly edited?: boolean;
}

const sides: readonly Side[] = ['ours', 'theirs', 'edited'];

/** Lists the open conflicts, or settles them one way. */
export async function runResolve(session: Session, request: ResolveRequest): Promise<ExitCode> {
  const { folder, paths } = findConflicted(session, request.paths);
  const side = sides.find((it) => request[it]);
  if (!side) return listOpen(session, await readProject(folder), paths);
  return withRunLock(folder, async () => {
    const before = repairNotes(session.terminal, await recover(folder));
    const project = await readProject(folder);
    if (project.openConflicts.length === 0) return reportNone(session);
    const chosen = project.openConflicts.map(({ path }) => path).filter(isAmong(paths));
    const settled = chosen.length > 0 ? chosen : paths;
    const plan = await settle(project, settled, side);
    await applyPlan(folder, plan);
    return reportSettled(session, { folder, settled, side, plan, before });
  });
}

async function listOpen(
  session: Session,
  project: Project,
  paths: readonly string[],
): Promise<ExitCode> {
  const among = isAmong(paths);
  const conflicts = (await openConflicts(project)).filter(({ path }) => among(path));
  if (conflicts.length === 0) return reportNone(session);
  return report(session, {
    exit: exitCode.conflicts,
    diagnostics: conflictDiagnostics(session, project.folder, conflicts),
    text: printConflicts(session, project.folder, conflicts),
    data: { conflicts },
  });
}

function reportNone(session: Session): ExitCode {
  const text = 'No conflict is open.\n';
  return report(session, { exit: exitCode.done, text, data: { conflicts: [] } });
}
