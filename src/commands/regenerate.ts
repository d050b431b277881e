import type { ExitCode } from '../errors.ts';
import { isInterrupted, requireProject } from '../project/find-project.ts';
import { withRunLock } from '../project/run-lock.ts';
import { isUntouched } from '../project/untouched.ts';
import type { Diagnostic, Session } from '../terminal/report.ts';
import { findSchema } from './find-schema.ts';
import { repairNotes } from './regenerate/repair-notes.ts';
import { reportInStep } from './regenerate/report-in-step.ts';
import {
  asksNothing,
  onlyLooks,
  startRun,
  type RegenerateRequest,
  type Run,
} from './regenerate/request.ts';
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
  return withRunLock(run.folder, async () => follow(session, run, await repair(session, run)));
}

async function repair({ terminal }: Session, { folder }: Run): Promise<readonly Diagnostic[]> {
  if (!isInterrupted(folder)) return [];
  const { recover } = await import('../project/recover.ts');
  return repairNotes(terminal, await recover(folder));
}

/** Where nothing has happened, what reads and parses is not even loaded. */
async function follow(
  session: Session,
  run: Run,
  repaired: readonly Diagnostic[],
): Promise<ExitCode> {
  const source = await readSchemaText(session, findSchema(session, run.request.dir));
  if (asksNothing(run.request) && isUntouched(run.folder, source.text)) {
    return reportInStep(session, repaired);
  }
  const { followSchema } = await import('./regenerate/follow-schema.ts');
  return followSchema(session, run, { source, repaired });
}
