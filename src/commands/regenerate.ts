import type { ExitCode } from '../errors.ts';
import { requireProject } from '../project/paths.ts';
import { isUntouched } from '../project/untouched.ts';
import type { Session } from '../terminal/report.ts';
import { findSchema, readSchemaText } from './place.ts';
import { lockAndRepair } from './lock-and-repair.ts';
import { reportInStep } from './regenerate/in-step.ts';
import {
  asksNothing,
  onlyLooks,
  startRun,
  type RegenerateRequest,
  type Run,
} from './regenerate/request.ts';

/** The edited schema comes into the project; what its owner wrote stays. */
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

/** Where nothing has happened, nothing is loaded or locked. A dry run needs no lock. */
async function regenerate(session: Session, run: Run): Promise<ExitCode> {
  const { folder, request } = run;
  const source = await readSchemaText(session, findSchema(session, request.dir));
  if (asksNothing(request) && isUntouched(folder, source.text)) return reportInStep(session, []);
  const { bringUpToDate } = await import('./regenerate/bring-up-to-date.ts');
  if (onlyLooks(request)) return bringUpToDate(session, run, source);
  return lockAndRepair(session, folder, (earlier) =>
    bringUpToDate(session, { ...run, earlier }, source),
  );
}
