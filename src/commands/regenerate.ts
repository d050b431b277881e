import type { ExitCode } from '../errors.ts';
import { requireProject } from '../project/project-folder.ts';
import { isUntouched } from '../project/untouched.ts';
import type { Diagnostic, Session } from '../terminal/report.ts';
import { lockAndRepair } from './lock-and-repair.ts';
import { locateSchema, readSchemaText } from './schema-source.ts';
import {
  changesNothing,
  isReadOnly,
  reportInStep,
  startRun,
  type RegenerateRequest,
  type Run,
} from './regenerate/request.ts';

/** Undoes, watches, or updates the project once. */
export async function runRegenerate(
  session: Session,
  request: RegenerateRequest,
): Promise<ExitCode> {
  const run = startRun(session, request);
  requireProject(run.folder);
  if (request.undo) return (await import('./regenerate/undo.ts')).runUndo(session, run);
  if (!request.watch) return updateIfTouched(session, run);
  const { watchSchema } = await import('./regenerate/watch.ts');
  return watchSchema(session, run, () => updateIfTouched(session, run));
}

/** Loads and locks nothing if nothing has changed, as in most runs. A dry run needs no lock. */
async function updateIfTouched(session: Session, run: Run): Promise<ExitCode> {
  const { folder, request } = run;
  const source = await readSchemaText(session, locateSchema(session, request.dir));
  if (changesNothing(request) && isUntouched(folder, source.text)) return reportInStep(session, []);
  const { updateProject } = await import('./regenerate/update-project.ts');
  const work = (earlier: readonly Diagnostic[]) =>
    updateProject(session, { ...run, earlier }, source);
  return isReadOnly(request) ? work([]) : lockAndRepair(session, folder, work);
}
