import { exitCode, type ExitCode } from '../errors.ts';
import type { Plan } from '../project/plan.ts';
import type { Project } from '../project/read-project.ts';
import type { UndeclaredName, Resolution } from '../project/plan-resolution.ts';
import {
  type Diagnostic,
  showDiagnostics,
  showSteps,
  report,
  type Session,
} from '../terminal/report.ts';
import { locateOpenConflicts } from './reported-conflict.ts';
import { displayPath } from './display-path.ts';
import { formatStep } from './regenerate/next-steps.ts';
import { checkAsItStands } from './regenerate/semantic/misfits.ts';
import { diagnoseMisfits } from './regenerate/semantic/diagnostics.ts';
import { listReportedChanges } from './regenerate/show-plan.ts';

interface ResolvedFiles {
  /** As it is now. */
  readonly project: Project;
  readonly paths: readonly string[];
  readonly side: Resolution;
  readonly plan: Plan;
  readonly isUnformatted: boolean;
  readonly undeclared: readonly UndeclaredName[];
  readonly earlier: readonly Diagnostic[];
}

/** Reports what was resolved, what is still open and, if nothing is, whether the code fits. */
export async function reportResolved(session: Session, done: ResolvedFiles): Promise<ExitCode> {
  const { project, plan, isUnformatted, earlier } = done;
  const { terminal } = session;
  const left = locateOpenConflicts(project);
  const diagnostics = await diagnoseResolved(session, done, left);
  const isFit = diagnostics.every(({ severity }) => severity !== 'error');
  const steps = isUnformatted ? [formatStep(project.folder)] : [];
  showDiagnostics(terminal, diagnostics);
  showSteps(terminal, 'Next', steps);
  if (!terminal.json && !(terminal.quiet && isFit)) {
    const isApart = diagnostics.length + steps.length > 0;
    const misfit = isFit ? '' : ' What does not fit is listed above.';
    terminal.err.write(`${isApart ? '\n' : ''}${stillOpen(left.length)}${misfit}\n`);
  }
  return report(session, {
    exit: isFit ? exitCode.done : exitCode.conflicts,
    changes: listReportedChanges(plan, {}),
    diagnostics: [...earlier, ...diagnostics],
    next: steps.map(({ command }) => command),
    text: printResolved(session, done),
    data: { conflicts: left },
  });
}

/** The project can be compiled only if no marker is left. */
async function diagnoseResolved(
  session: Session,
  { project, undeclared }: ResolvedFiles,
  left: readonly unknown[],
): Promise<readonly Diagnostic[]> {
  // The chosen side may need more than an import.
  const names = undeclared.map(({ path, name }): Diagnostic => {
    const message = `\`${name}\` is used, but nothing declares it any more.`;
    const file = displayPath(session, project.folder, path);
    return { code: 'SCF508', severity: 'error', message, file };
  });
  if (left.length > 0) return names;
  const fit = await checkAsItStands(project, session.terminal.interruption);
  const found = diagnoseMisfits(session, project.folder, fit);
  return fit.unchecked === undefined ? found : [...names, ...found];
}

const resolutionWords: Readonly<Record<Resolution, string>> = {
  ours: 'your lines',
  theirs: 'scaffold’s lines',
  edited: 'as you edited it',
};

function printResolved(session: Session, { project, paths, side, plan }: ResolvedFiles): string {
  const { style } = session.terminal.out;
  const places = paths.flatMap((path) => {
    const shown = displayPath(session, project.folder, path);
    const found = plan.changes.find((it) => it.path === path)?.resolved ?? [];
    return found.length === 0 ? [shown] : found.map(({ line }) => `${shown}:${line}`);
  });
  const lines = places.map(
    (place) => `${style.good('resolved')}  ${place}  ${style.faint(resolutionWords[side])}\n`,
  );
  return lines.join('');
}

function stillOpen(count: number): string {
  if (count === 0) return 'All conflicts are resolved.';
  return count === 1 ? 'One conflict is still open.' : `${count} conflicts are still open.`;
}
