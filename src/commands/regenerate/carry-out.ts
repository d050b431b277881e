import type { ExitCode } from '../../errors.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { hasConflicts, type Plan } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../project/regeneration.ts';
import { cancelled } from '../../terminal/ask.ts';
import type { Diagnostic, Session } from '../../terminal/report.ts';
import { decide, isOpen } from './decide.ts';
import { formatPlan } from './format-plan.ts';
import type { Outcome } from './report.ts';
import { renameUses, type Replan, renamedUses } from './semantic/rename-uses.ts';
import { reportOpenQuestions } from './open-questions.ts';
import { reportRegeneration } from './report.ts';
import { toRunOptions, onlyLooks, type Run, type SchemaSource } from './request.ts';
import { findSemanticConflicts } from './semantic/conflicts.ts';

interface Situation {
  readonly project: Project;
  readonly source: SchemaSource;
  /** What was said already. */
  readonly before: readonly Diagnostic[];
}

/** Plan and ask; check the whole; then, and only then, write; report. */
export async function carryOut(
  session: Session,
  { folder, request: asked }: Run,
  { project, source, before }: Situation,
): Promise<ExitCode> {
  const { terminal } = session;
  const decided = await decide({ terminal, project, source }, asked);
  const { regeneration: planned, request } = decided;
  const run = { folder, request };
  if (isOpen(planned) && !request.check) return reportOpenQuestions(session, decided);
  const replan: Replan = (change) =>
    planRegeneration(project, toRunOptions(request, source), change);
  const { interruption } = terminal;
  const checked = await check(run, { project, planned, interruption, replan });
  if (terminal.interruption.aborted) throw cancelled();
  const state = stateOf(run, checked.regeneration.plan);
  if (state === 'written') await applyPlan(folder, checked.regeneration.plan);
  return reportRegeneration(session, run, { ...checked, project, state, before });
}

interface Planned {
  readonly project: Project;
  readonly planned: Regeneration;
  readonly interruption: AbortSignal;
  readonly replan: Replan;
}

type Checked = Pick<Outcome, 'regeneration' | 'semantic' | 'renamed' | 'isUnformatted'>;

/** Does the owner's code still fit? With `--codemod`, it is made to as far as names go. */
async function check({ request }: Run, given: Planned): Promise<Checked> {
  const { project, planned, interruption, replan } = given;
  if (request.check)
    return { regeneration: planned, semantic: { conflicts: [], mentions: [] }, renamed: [] };
  const { regeneration: renamed, left } = request.codemod
    ? await renameUses(project, planned, { interruption, replan })
    : { regeneration: planned };
  const { plan, isUnformatted } = await formatPlan(project, renamed.plan, interruption);
  const regeneration = { ...renamed, plan };
  return {
    isUnformatted,
    regeneration,
    semantic: await findSemanticConflicts(project, regeneration, interruption, left),
    renamed: renamedUses(planned.plan, renamed.plan),
  };
}

function stateOf({ request }: Run, plan: Plan): Outcome['state'] {
  if (onlyLooks(request)) return 'looked';
  return request.onConflict === 'fail' && hasConflicts(plan) ? 'refused' : 'written';
}
