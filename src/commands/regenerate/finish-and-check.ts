import type { Plan, FileChange } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import { formatPlan } from './format-plan.ts';
import type { PlannedRun } from './open-questions.ts';
import { renameUses } from './rename-uses.ts';
import { collectMisfits, noMisfits, type SemanticReport } from './semantic/misfits.ts';
import { withOwnerCode } from './semantic/owner-code.ts';

export interface RunResult {
  readonly project: Project;
  readonly regeneration: Regeneration;
  /** `refused`: there are conflicts, and `--on-conflict fail` was given. */
  readonly state: 'written' | 'previewed' | 'refused';
  readonly semantic: SemanticReport;
  /** Changes that the codemod made in the owner's code. */
  readonly renamed?: readonly FileChange[];
  /** Whether the project has its own layout and the written files do not follow it yet. */
  readonly isUnformatted?: boolean;
}

/** Renames in the owner's code if asked to, formats what is written, and checks whether the code still fits. */
export async function finishAndCheck(
  { project, regeneration: planned, request }: PlannedRun,
  interruption: AbortSignal,
): Promise<Omit<RunResult, 'state'>> {
  if (request.check) return { project, regeneration: planned, semantic: noMisfits };
  return withOwnerCode(project, planned, interruption, async (code) => {
    const renamed = request.codemod ? await renameUses(code, planned) : planned;
    const { plan, isUnformatted } = await formatPlan(project, renamed.plan, interruption);
    const regeneration = { ...renamed, plan };
    return {
      project,
      isUnformatted,
      regeneration,
      semantic: await collectMisfits(code, regeneration),
      renamed: renamedUses(planned.plan, renamed.plan),
    };
  });
}

/** Changes that the codemod added to a plan. */
function renamedUses(planned: Plan, fixed: Plan): readonly FileChange[] {
  const before = new Map(planned.changes.map(({ path, after }) => [path, after]));
  return fixed.changes.flatMap((change) => {
    const text = before.has(change.path) ? before.get(change.path) : change.before;
    const { from: _, ...inPlace } = change;
    return text === undefined || text === change.after ? [] : [{ ...inPlace, before: text }];
  });
}
