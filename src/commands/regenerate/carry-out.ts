import type { RunResult } from './run-result.ts';
import type { ExitCode } from '../../errors.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { hasConflicts, type Plan, type Change } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { isOpen, type Regeneration } from '../../project/regeneration.ts';
import { cancelled } from '../../terminal/ask.ts';
import type { Session } from '../../terminal/report.ts';
import { decide } from './decide.ts';
import { reportOpenQuestions } from './open-questions.ts';
import { reportRegeneration } from './report.ts';
import { onlyLooks, type Run, type SchemaSource } from './request.ts';
import { findSemanticConflicts } from './semantic/conflicts.ts';
import { withOwnerCode } from './semantic/owner-code.ts';
import { renameUses } from './rename-uses.ts';
import { formatPlan } from './format-plan.ts';

/** Plan and ask; check the whole; then, and only then, write; report. */
export async function carryOut(
  session: Session,
  { request: typed, ...known }: Run,
  found: Project,
  source: SchemaSource,
): Promise<ExitCode> {
  const { interruption } = session.terminal;
  const decided = await decide(session.terminal, found, source, typed);
  const { regeneration: planned, request, project } = decided;
  const run = { ...known, request };
  if (isOpen(planned) && !request.check) return reportOpenQuestions(session, decided);
  const checked: Checked = request.check
    ? { regeneration: planned, semantic: { conflicts: [], mentions: [] } }
    : await checkFit(project, planned, interruption, request.codemod);
  if (interruption.aborted) throw cancelled();
  const state = stateOf(run, checked.regeneration.plan);
  if (state === 'written') await applyPlan(project.folder, checked.regeneration.plan);
  return reportRegeneration(session, run, { ...checked, project, state });
}

type Checked = Pick<RunResult, 'regeneration' | 'semantic' | 'renamed' | 'isUnformatted'>;

/** Does the owner's code still fit? With the codemod, it is made to as far as names go. */
async function checkFit(
  project: Project,
  planned: Regeneration,
  interruption: AbortSignal,
  isRenaming = false,
): Promise<Checked> {
  return withOwnerCode(project, planned, interruption, async (code) => {
    const renamed = isRenaming ? await renameUses(code, planned) : planned;
    const { plan, isUnformatted } = await formatPlan(project, renamed.plan, interruption);
    const regeneration = { ...renamed, plan };
    return {
      isUnformatted,
      regeneration,
      semantic: await findSemanticConflicts(code, regeneration),
      renamed: renamedUses(planned.plan, renamed.plan),
    };
  });
}

function stateOf({ request }: Run, plan: Plan): RunResult['state'] {
  if (onlyLooks(request)) return 'looked';
  return request.onConflict === 'fail' && hasConflicts(plan) ? 'refused' : 'written';
}

/** What the codemod did beside the plan that it was given: the owner's own code, before and after. */
function renamedUses(planned: Plan, fixed: Plan): readonly Change[] {
  const before = new Map(planned.changes.map(({ path, after }) => [path, after]));
  return fixed.changes.flatMap((change) => {
    const text = before.has(change.path) ? before.get(change.path) : change.before;
    const { from: _, ...inPlace } = change;
    return text === undefined || text === change.after ? [] : [{ ...inPlace, before: text }];
  });
}
