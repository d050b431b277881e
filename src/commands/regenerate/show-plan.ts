import { describeChange } from '../../evolve/changes/describe.ts';
import type { Evolved } from '../../evolve/migrate.ts';
import type { Change, Plan } from '../../project/plan.ts';
import type { ReportedChange } from '../../terminal/report.ts';
import { colorDiff, type Style } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { fileDiff } from './file-diff.ts';
import { printPlan } from './print-plan.ts';
import type { RegenerateRequest } from './request.ts';

type Form = Pick<RegenerateRequest, 'diff' | 'check'>;

interface Shown {
  readonly plan: Plan;
  readonly migration?: Pick<Evolved, 'changes'>;
  readonly renamed?: readonly Change[] | undefined;
}

/**
 * A plan on standard output: as a list, with the lines in which the owner's own names were changed; or all as a diff.
 * `--check` says nothing.
 */
export function showPlan({ out, json }: Terminal, shown: Shown, { diff, check }: Form): void {
  if (json || check) return;
  const { plan, migration, renamed = [] } = shown;
  const sentences = (migration?.changes ?? []).map(describeChange);
  out.write(
    diff
      ? colorDiff(out.style, plan.changes.map(fileDiff).join(''))
      : printPlan(plan, out.style, sentences) + printRenamed(renamed, out.style),
  );
}

function printRenamed(renamed: readonly Change[], style: Style): string {
  if (renamed.length === 0) return '';
  return `\n${style.strong('Your code')}\n${colorDiff(style, renamed.map(fileDiff).join(''))}`;
}

/** A plan for programs. */
export function reportedChanges({ changes }: Plan, { diff }: Form): ReportedChange[] {
  return changes.map((change) => ({
    path: change.path,
    action: change.action,
    model: change.model,
    reason: change.reason,
    from: change.from,
    ...(diff && { diff: fileDiff(change) }),
  }));
}
