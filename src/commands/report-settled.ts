import { exitCode, type ExitCode } from '../errors.ts';
import type { Plan } from '../project/plan.ts';
import { readProject } from '../project/read-project.ts';
import type { LostName, Settling } from '../project/settle.ts';
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
import { misfitDiagnostics } from './regenerate/semantic/diagnostics.ts';
import { reportedChanges } from './regenerate/show-plan.ts';

interface Settled {
  readonly folder: string;
  readonly settled: readonly string[];
  readonly side: Settling;
  readonly plan: Plan;
  readonly isUnformatted: boolean;
  readonly lost: readonly LostName[];
  readonly earlier: readonly Diagnostic[];
}

/** What was settled, what is still open, and, when nothing is, whether the code fits. */
export async function reportSettled(session: Session, done: Settled): Promise<ExitCode> {
  const { folder, plan, isUnformatted, earlier } = done;
  const { terminal } = session;
  const left = locateOpenConflicts(await readProject(folder));
  const diagnostics = await findDiagnostics(session, done, left.length === 0);
  const isFit = diagnostics.every(({ severity }) => severity !== 'error');
  const steps = isUnformatted ? [formatStep(folder)] : [];
  showDiagnostics(terminal, diagnostics);
  if (steps.length > 0) showSteps(terminal, 'Next', steps);
  if (!terminal.json && !(terminal.quiet && isFit)) {
    const isApart = diagnostics.length + steps.length > 0;
    const misfit = isFit ? '' : ' What does not fit is listed above.';
    terminal.err.write(`${isApart ? '\n' : ''}${stillOpen(left.length)}${misfit}\n`);
  }
  return report(session, {
    exit: isFit ? exitCode.done : exitCode.conflicts,
    changes: reportedChanges(plan, {}),
    diagnostics: [...earlier, ...diagnostics],
    next: steps.map(({ command }) => command),
    text: printSettled(session, done),
    data: { conflicts: left },
  });
}

/** A compiler can read the project only when no marker is left. */
async function findDiagnostics(
  session: Session,
  { folder, lost }: Settled,
  isAllSettled: boolean,
): Promise<readonly Diagnostic[]> {
  const names = lost.map((name) => lostName(session, folder, name));
  if (!isAllSettled) return names;
  const fit = await checkAsItStands(await readProject(folder), session.terminal.interruption);
  const found = misfitDiagnostics(session, folder, fit);
  return fit.unchecked === undefined ? found : [...names, ...found];
}

/** The side that was taken may need more than an import. */
function lostName(session: Session, folder: string, { path, name }: LostName): Diagnostic {
  const message = `\`${name}\` is used, but nothing declares it any more.`;
  const file = displayPath(session, folder, path);
  return { code: 'SCF508', severity: 'error', message, file };
}

const words: Readonly<Record<Settling, string>> = {
  ours: 'your lines',
  theirs: 'the lines of the schema',
  edited: 'as you edited it',
};

function printSettled(session: Session, { folder, settled, side, plan }: Settled): string {
  const { style } = session.terminal.out;
  const places = settled.flatMap((path) => {
    const place = displayPath(session, folder, path);
    const found = plan.changes.find((it) => it.path === path)?.settled ?? [];
    return found.length === 0 ? [place] : found.map(({ line }) => `${place}:${line}`);
  });
  const lines = places.map(
    (place) => `${style.good('settled')}  ${place}  ${style.faint(words[side])}\n`,
  );
  return lines.join('');
}

function stillOpen(count: number): string {
  if (count === 0) return 'All conflicts are settled.';
  return count === 1 ? 'One conflict is still open.' : `${count} conflicts are still open.`;
}
