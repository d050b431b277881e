import { exitCode, type ExitCode } from '../../errors.ts';
import type { Plan } from '../../project/plan.ts';
import { readProject } from '../../project/read-project.ts';
import type { Side } from '../../project/settle.ts';
import { report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { openConflicts } from '../conflicts.ts';
import { displayPath } from '../display-path.ts';
import { reportedChanges } from '../regenerate/show-plan.ts';

interface Settled {
  readonly folder: string;
  readonly settled: readonly string[];
  readonly side: Side;
  readonly plan: Plan;
  readonly before: readonly Diagnostic[];
}

const words: Readonly<Record<Side, string>> = {
  ours: 'your lines',
  theirs: 'the lines of the schema',
  edited: 'as you edited it',
};

/** What was settled, and what is still open. */
export async function reportSettled(session: Session, it: Settled): Promise<ExitCode> {
  const { folder, settled, side, plan, before } = it;
  const { out, err, quiet } = session.terminal;
  const left = await openConflicts(await readProject(folder));
  const lines = settled.map((path) => {
    const place = displayPath(session, folder, path);
    return `${out.style.good('settled')}  ${place}  ${out.style.faint(words[side])}\n`;
  });
  if (!quiet) err.write(`${stillOpen(left.length)}\n`);
  return report(session, {
    exit: exitCode.done,
    changes: reportedChanges(plan, {}),
    diagnostics: before,
    text: lines.join(''),
    data: { conflicts: left },
  });
}

function stillOpen(count: number): string {
  if (count === 0) return 'No conflict is open any more.';
  return count === 1 ? 'One conflict is still open.' : `${count} conflicts are still open.`;
}
