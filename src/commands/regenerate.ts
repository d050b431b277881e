import { type ExitCode, exitCode } from '../errors.ts';
import { requireProject } from '../project/paths.ts';
import type { Plan } from '../project/plan.ts';
import { hasOpenQuestions } from '../project/questions.ts';
import { isUntouched } from '../project/untouched.ts';
import { cancelled } from '../terminal/ask.ts';
import { type Diagnostic, report, type Session } from '../terminal/report.ts';
import { lockAndRepair } from './lock-and-repair.ts';
import { findSchema, readSchemaText, type SchemaText } from './schema-source.ts';
import { reportProblems, showWarnings, toDiagnostics } from './problems.ts';
import type { RunResult } from './regenerate/check-fit.ts';
import {
  changesNothing,
  isReadOnly,
  startRun,
  toRunOptions,
  type RegenerateRequest,
  type Run,
} from './regenerate/request.ts';

/** Updates a project to its edited schema, and keeps what its owner wrote. */
export async function runRegenerate(
  session: Session,
  request: RegenerateRequest,
): Promise<ExitCode> {
  const run = startRun(session, request);
  requireProject(run.folder);
  if (request.undo) return (await import('./regenerate/undo.ts')).runUndo(session, run);
  if (!request.watch) return regenerate(session, run);
  const { watchSchema } = await import('./regenerate/watch.ts');
  return watchSchema(session, run, () => regenerate(session, run));
}

/** Loads and locks nothing if nothing has changed. A dry run needs no lock. */
async function regenerate(session: Session, run: Run): Promise<ExitCode> {
  const { folder, request } = run;
  const source = await readSchemaText(session, findSchema(session, request.dir));
  if (changesNothing(request) && isUntouched(folder, source.text)) return reportInStep(session, []);
  if (isReadOnly(request)) return bringUpToDate(session, run, source);
  return lockAndRepair(session, folder, (earlier) =>
    bringUpToDate(session, { ...run, earlier }, source),
  );
}

/** Plans, asks, checks, and only then applies. Each step is loaded when it is reached, since most runs end early. */
async function bringUpToDate(session: Session, run: Run, source: SchemaText): Promise<ExitCode> {
  const { readProject } = await import('../project/read-project.ts');
  const found = await readProject(run.folder);
  if (found.openConflicts.length > 0)
    return (await import('./conflicts.ts')).reportOpenConflicts(session, found);

  const { parseSchema } = await import('../schema/parse.ts');
  const { schema, problems } = parseSchema(source.text);
  if (!schema) return reportProblems(session, source, problems);
  showWarnings(session, source, problems);
  const earlier = [...run.earlier, ...toDiagnostics(source, problems)];
  const parsed = { schema, schemaText: source.text };
  const { isUpToDate } = await import('../project/plan/next-app.ts');
  if (isUpToDate(found, toRunOptions(run.request, parsed))) return reportInStep(session, earlier);

  const { planAndAsk } = await import('./regenerate/plan-and-ask.ts');
  const planned = await planAndAsk(session.terminal, found, parsed, run.request);
  const { project, request } = planned;
  if (hasOpenQuestions(planned.regeneration) && !request.check)
    return (await import('./regenerate/open-questions.ts')).reportOpenQuestions(session, planned);

  const { checkFit } = await import('./regenerate/check-fit.ts');
  const { interruption } = session.terminal;
  const checked = await checkFit(planned, interruption);
  if (interruption.aborted) throw cancelled();

  const { plan } = checked.regeneration;
  const state = decideState(request, plan);
  const { applyPlan } = await import('../project/journal/apply-plan.ts');
  if (state === 'written') await applyPlan(project.folder, plan);

  const { reportRegeneration } = await import('./regenerate/report.ts');
  const answered = { ...run, request, earlier };
  return reportRegeneration(session, answered, { ...checked, project, state });
}

function decideState(request: RegenerateRequest, { changes }: Plan): RunResult['state'] {
  if (isReadOnly(request)) return 'looked';
  const isRefused = request.onConflict === 'fail' && changes.some((it) => it.conflicts.length > 0);
  return isRefused ? 'refused' : 'written';
}

function reportInStep(session: Session, diagnostics: readonly Diagnostic[]): ExitCode {
  const verdict = 'The project is in step with its schema. Nothing was written.';
  const text = `${verdict}\nYour code was not compiled: \`npx scaffold check\` does that.\n`;
  return report(session, { exit: exitCode.done, diagnostics, text });
}
