import type { ExitCode } from '../../errors.ts';
import { isUpToDate } from '../../project/plan/next-app.ts';
import { readProject } from '../../project/read-project.ts';
import { parseSchema } from '../../schema/parse.ts';
import { withMergeThread } from '../../system/merge-thread.ts';
import type { Session } from '../../terminal/report.ts';
import { reportOpenConflicts } from '../conflicts.ts';
import type { SchemaText } from '../place.ts';
import { printWarnings, reportProblems, toDiagnostics } from '../problems.ts';
import { reportInStep } from './notes.ts';
import { toRunOptions, type Run } from './request.ts';

/** Reads and parses; where there is nothing to do, what the rest would need is not even loaded. */
export async function bringUpToDate(
  session: Session,
  run: Run,
  source: SchemaText,
): Promise<ExitCode> {
  const project = await readProject(run.folder);
  if (project.openConflicts.length > 0) return reportOpenConflicts(session, project);
  const { schema, problems } = parseSchema(source.text);
  if (!schema) return reportProblems(session, source, problems);
  printWarnings(session, source, problems);

  const before = [...run.before, ...toDiagnostics(source, problems)];
  const parsed = { schema, schemaText: source.text };
  if (isUpToDate(project, toRunOptions(run.request, parsed))) return reportInStep(session, before);
  return withMergeThread(async (mergeTypeScript) => {
    const { carryOut } = await import('./carry-out.ts');
    return carryOut(session, { ...run, before }, project, { ...parsed, mergeTypeScript });
  });
}
