import type { ExitCode } from '../../errors.ts';
import { applyPlan } from '../../project/journal/apply-plan.ts';
import { buildNext, isUpToDate } from '../../project/plan/next-app.ts';
import { hasOpenQuestions } from '../../project/questions.ts';
import { readProject } from '../../project/read-project.ts';
import { parseSchema } from '../../schema/parse.ts';
import { makeCancelled } from '../../terminal/ask.ts';
import type { Session } from '../../terminal/report.ts';
import { reportOpenConflicts } from '../conflicts.ts';
import type { SchemaText } from '../schema-source.ts';
import { reportProblems, showWarnings, toDiagnostics } from '../problems.ts';
import { reportOpenQuestions } from './open-questions.ts';
import { reportRegeneration, decideState } from './report.ts';
import { reportInStep, toRunOptions, type Run } from './request.ts';

/** Updates a project to its edited schema, and keeps what its owner wrote: plans, asks, checks, and only then applies. */
export async function updateProject(
  session: Session,
  run: Run,
  source: SchemaText,
): Promise<ExitCode> {
  const project = await readProject(run.folder);
  if (project.openConflicts.length > 0) return reportOpenConflicts(session, project);

  const { schema, problems } = parseSchema(source.text);
  if (!schema) return reportProblems(session, source, problems);
  showWarnings(session, source, problems);
  const earlier = [...run.earlier, ...toDiagnostics(source, problems)];

  const options = toRunOptions(run.request, { schema, schemaText: source.text });
  const next = buildNext(project, options);
  if (isUpToDate(project, next, options)) return reportInStep(session, earlier);

  // Templates and the SQL of migrations take time to load.
  const { planAndAsk } = await import('./plan-and-ask.ts');
  const { finishAndCheck } = await import('./finish-and-check.ts');
  const planned = await planAndAsk(session.terminal, { project, next, options }, run.request);
  const { request } = planned;
  if (hasOpenQuestions(planned.regeneration) && !request.check)
    return reportOpenQuestions(session, planned);

  const { interruption } = session.terminal;
  const checked = await finishAndCheck(planned, interruption);
  if (interruption.aborted) throw makeCancelled();

  const { plan } = checked.regeneration;
  const state = decideState(request, plan);
  if (state === 'written') await applyPlan(run.folder, plan);
  return reportRegeneration(session, { ...run, request, earlier }, { ...checked, state });
}
