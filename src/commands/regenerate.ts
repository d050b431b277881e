import { exitCode, type ExitCode } from '../errors.ts';
import { readProject, requireProject } from '../project/read-project.ts';
import { recover } from '../project/recover.ts';
import { withRunLock } from '../project/run-lock.ts';
import { isUpToDate } from '../project/up-to-date.ts';
import { parseSchema } from '../schema/parse.ts';
import { report, type Diagnostic, type Session } from '../terminal/report.ts';
import { findSchema } from './find-schema.ts';
import { printWarnings, reportProblems, toDiagnostics } from './problems.ts';
import { repairNotes } from './regenerate/repair-notes.ts';
import {
  makeWish,
  onlyLooks,
  startRun,
  type RegenerateRequest,
  type Run,
} from './regenerate/request.ts';
import { reportOpenConflicts } from './report-open-conflicts.ts';
import { readSchemaText } from './schema-text.ts';

/** The edited schema comes into the project; what its owner wrote stays. */
export async function runRegenerate(
  session: Session,
  request: RegenerateRequest,
): Promise<ExitCode> {
  const run = startRun(session, request);
  requireProject(run.folder);
  if (request.undo) return (await import('./regenerate/undo.ts')).runUndo(session, run);
  if (!request.watch) return regenerate(session, run);
  const { watchSchema } = await import('./regenerate/watch-schema.ts');
  return watchSchema(session, run, () => regenerate(session, run));
}

/** Nobody else writes meanwhile, and what a crash left is put right first; a look needs neither. */
async function regenerate(session: Session, run: Run): Promise<ExitCode> {
  if (onlyLooks(run.request)) return follow(session, run, []);
  return withRunLock(run.folder, async () => {
    const repaired = repairNotes(session.terminal, await recover(run.folder));
    return follow(session, run, repaired);
  });
}

/** Reads and parses; where there is nothing to do, what the rest would need is not even loaded. */
async function follow(
  session: Session,
  run: Run,
  repaired: readonly Diagnostic[],
): Promise<ExitCode> {
  const project = await readProject(run.folder);
  if (project.openConflicts.length > 0) return reportOpenConflicts(session, project);
  const { text, file } = await readSchemaText(session, findSchema(session, run.request.dir));
  const { schema, problems } = parseSchema(text, file);
  if (!schema) return reportProblems(session, { text, file }, problems);
  printWarnings(session, { text, file }, problems);

  const before = [...repaired, ...toDiagnostics({ text, file }, problems)];
  const source = { schema, schemaText: text };
  if (isUpToDate(project, makeWish(run.request, source))) return reportInStep(session, before);
  const { carryOut } = await import('./regenerate/carry-out.ts');
  return carryOut(session, run, { project, source, before });
}

function reportInStep(session: Session, diagnostics: readonly Diagnostic[]): ExitCode {
  const text = 'The project is in step with its schema. Nothing was written.\n';
  return report(session, { exit: exitCode.done, diagnostics, text });
}
