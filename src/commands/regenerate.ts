import type { ExitCode } from '../errors.ts';
import { isInterrupted, requireProject } from '../project/paths.ts';
import { withRunLock } from '../project/journal/run-lock.ts';
import { isUntouched } from '../project/untouched.ts';
import type { Diagnostic, Session } from '../terminal/report.ts';
import { findSchema, readSchemaText } from './place.ts';
import { repairNotes, reportInStep } from './regenerate/notes.ts';
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
  const { watchSchema } = await import('./regenerate/watch-schema.ts');
  return watchSchema(session, run, () => regenerate(session, run));
}

/** Where nothing has happened, nothing is loaded or locked. A look needs no lock either. */
async function regenerate(session: Session, run: Run): Promise<ExitCode> {
  const { folder, request } = run;
  const source = await readSchemaText(session, findSchema(session, request.dir));
  if (asksNothing(request) && isUntouched(folder, source.text)) return reportInStep(session, []);
  const { followSchema } = await import('./regenerate/follow-schema.ts');
  if (onlyLooks(request)) return followSchema(session, run, source);
  return withRunLock(folder, async () => {
    const before = await repair(session, run);
    return followSchema(session, { ...run, before }, source);
  });
}

/** What a crash left is put right first. */
async function repair({ terminal }: Session, { folder }: Run): Promise<readonly Diagnostic[]> {
  if (!isInterrupted(folder)) return [];
  const { recover } = await import('../project/journal/commit.ts');
  return repairNotes(terminal, await recover(folder));
}
