import type { ExitCode } from '../../errors.ts';
import { hasConflicts, type Plan } from '../../project/plan.ts';
import { isUpToDate } from '../../project/plan/next-app.ts';
import { hasOpenQuestions } from '../../project/questions.ts';
import { readProject, type Project } from '../../project/read-project.ts';
import { parseSchema } from '../../schema/parse.ts';
import { cancelled } from '../../terminal/ask.ts';
import type { Session } from '../../terminal/report.ts';
import { reportOpenConflicts } from '../conflicts.ts';
import type { SchemaText } from '../place.ts';
import { showWarnings, reportProblems, toDiagnostics } from '../problems.ts';
import type { RunResult } from './check-fit.ts';
import { reportInStep } from './in-step.ts';
import { onlyLooks, toRunOptions, type Run, type SchemaSource } from './request.ts';

/** Reads and parses. Where there is nothing to do, what the rest would need is not even loaded. */
export async function bringUpToDate(
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
  const parsed = { schema, schemaText: source.text };
  if (isUpToDate(project, toRunOptions(run.request, parsed))) return reportInStep(session, earlier);
  return planAndWrite(session, { ...run, earlier }, project, parsed);
}

/** Builds, renders and plans, and asks; checks the whole; then, and only then, writes; and reports. */
async function planAndWrite(
  session: Session,
  known: Run,
  found: Project,
  source: SchemaSource,
): Promise<ExitCode> {
  const { interruption } = session.terminal;
  const { decide } = await import('./decide.ts');
  const decided = await decide(session.terminal, found, source, known.request);
  const { project, request } = decided;
  const { reportOpenQuestions } = await import('./open-questions.ts');
  if (hasOpenQuestions(decided.regeneration) && !request.check)
    return reportOpenQuestions(session, decided);

  const { checkFit } = await import('./check-fit.ts');
  const fit = await checkFit(decided, interruption);
  if (interruption.aborted) throw cancelled();

  const run = { ...known, request };
  const { plan } = fit.regeneration;
  const state = stateOf(run, plan);
  const { applyPlan } = await import('../../project/journal/apply-plan.ts');
  if (state === 'written') await applyPlan(project.folder, plan);
  const { reportRegeneration } = await import('./report.ts');
  return reportRegeneration(session, run, { ...fit, project, state });
}

function stateOf({ request }: Run, plan: Plan): RunResult['state'] {
  if (onlyLooks(request)) return 'looked';
  return request.onConflict === 'fail' && hasConflicts(plan) ? 'refused' : 'written';
}
