import { resolve } from 'node:path';
import { exitCode, type ExitCode, UserError } from '../errors.ts';
import { applyPlan } from '../project/journal/apply-plan.ts';
import { readProject, type Project } from '../project/read-project.ts';
import { planResolution, type Resolution } from '../project/plan-resolution.ts';
import { report, type Session } from '../terminal/report.ts';
import { diagnoseConflicts, printConflicts } from './conflicts.ts';
import { locateOpenConflicts } from './reported-conflict.ts';
import { lockAndRepair } from './lock-and-repair.ts';
import { displayPath, findProjectAround } from './display-path.ts';
import { formatPlan } from './regenerate/format-plan.ts';
import { reportResolved } from './report-resolved.ts';

/** The arguments as they were typed. */
export type ResolveRequest = { readonly paths: readonly string[] } & {
  readonly [Way in Resolution]?: boolean;
};

const resolutions: readonly Resolution[] = ['ours', 'theirs', 'edited'];

/** Lists the open conflicts, or resolves them. */
export async function runResolve(session: Session, request: ResolveRequest): Promise<ExitCode> {
  const { folder, chosen: named } = readTargets(session, request.paths);
  const side = resolutions.find((it) => request[it]);
  if (!side) return listOpen(session, await readProject(folder), named);
  return lockAndRepair(session, folder, async (earlier) => {
    const project = await readProject(folder);
    if (project.openConflicts.length === 0) return reportNone(session);
    const chosen = project.openConflicts.map(({ path }) => path).filter(isAmong(named));
    const resolved = chosen.length > 0 ? chosen : named;
    const { undeclared, ...plan } = await planResolution(project, resolved, side);
    const written = await formatPlan(project, plan, session.terminal.interruption);
    await applyPlan(folder, written.plan);
    return reportResolved(session, {
      ...written,
      project: await readProject(folder),
      paths: resolved,
      side,
      undeclared,
      earlier,
    });
  });
}

function listOpen(session: Session, project: Project, paths: readonly string[]): ExitCode {
  const among = isAmong(paths);
  const conflicts = locateOpenConflicts(project).filter(({ path }) => among(path));
  if (conflicts.length === 0) return reportNone(session);
  return report(session, {
    exit: exitCode.conflicts,
    diagnostics: diagnoseConflicts(session, project.folder, conflicts),
    text: printConflicts(session, project.folder, conflicts),
    data: { conflicts },
  });
}

function reportNone(session: Session): ExitCode {
  const text = 'No conflict is open.\n';
  return report(session, { exit: exitCode.done, text, data: { conflicts: [] } });
}

/** The project of the named files, and their paths in it. `chosen` is empty if all files are meant. */
function readTargets(
  { folder: here }: Session,
  named: readonly string[],
): { readonly folder: string; readonly chosen: readonly string[] } {
  const full = (named.length > 0 ? named : ['.']).map((path) => resolve(here, path));
  const roots = new Set(full.map(findProjectAround));
  const [folder, another] = roots;
  if (folder === undefined || another !== undefined) {
    const message =
      roots.size > 1 ? 'These are not all in one project.' : 'This folder is not in a project.';
    const help = 'For example: `npx scaffold resolve my-api`.';
    throw new UserError('SCF503', message, { exit: exitCode.usage, help });
  }
  const paths = full.map((path) => displayPath({ folder }, path));
  return { folder, chosen: paths.includes('.') || named.length === 0 ? [] : paths };
}

/** Whether a path is in a list or below one of its paths. An empty list matches every path. */
function isAmong(paths: readonly string[]): (path: string) => boolean {
  return (path) =>
    paths.length === 0 || paths.some((it) => path === it || path.startsWith(`${it}/`));
}
