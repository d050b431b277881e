import { on } from 'node:events';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ExitCode, exitCode } from '../errors.ts';
import { withRunLock } from '../project/journal/run-lock.ts';
import { isInterrupted, requireProject } from '../project/paths.ts';
import { isUntouched } from '../project/untouched.ts';
import { reportFailure } from '../terminal/failure.ts';
import type { Diagnostic, Session } from '../terminal/report.ts';
import { findSchema, readSchemaText, schemaFiles } from './place.ts';
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
  return request.watch
    ? watchSchema(session, run, () => regenerate(session, run))
    : regenerate(session, run);
}

/** Where nothing has happened, nothing is loaded or locked. A dry run needs no lock. */
async function regenerate(session: Session, run: Run): Promise<ExitCode> {
  const { folder, request } = run;
  const source = await readSchemaText(session, findSchema(session, request.dir));
  if (asksNothing(request) && isUntouched(folder, source.text)) return reportInStep(session, []);
  const { bringUpToDate } = await import('./regenerate/bring-up-to-date.ts');
  if (onlyLooks(request)) return bringUpToDate(session, run, source);
  return withRunLock(folder, async () => {
    const before = await repair(session, run);
    return bringUpToDate(session, { ...run, before }, source);
  });
}

/** What a crash left is put right first. */
async function repair({ terminal }: Session, { folder }: Run): Promise<readonly Diagnostic[]> {
  if (!isInterrupted(folder)) return [];
  const { recover } = await import('../project/journal/commit.ts');
  return repairNotes(terminal, await recover(folder));
}

/** Editors save in several steps. */
const settled = 150;

/** Runs now and at every save of the schema, whatever comes of it, until Ctrl-C. */
async function watchSchema(
  session: Session,
  run: Run,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal } = session;
  // Editors replace the file, so we watch the folder, and start before the first run so that no save is missed.
  const watcher = watch(run.folder);
  const changes = on(watcher, 'change', { signal: terminal.interruption });
  try {
    let last = await readSchema(session, run);
    await attempt(session, work);
    for await (const [, name] of changes) {
      if (!schemaFiles.includes(String(name))) continue;
      await wait(settled);
      const text = await readSchema(session, run);
      if (text === undefined || text === last) continue;
      last = text;
      await attempt(session, work);
    }
  } catch (error) {
    if (!terminal.interruption.aborted) throw error;
  } finally {
    watcher.close();
  }
  return exitCode.done;
}

async function attempt(session: Session, work: () => Promise<ExitCode>): Promise<void> {
  const { terminal } = session;
  try {
    await work();
  } catch (error) {
    if (terminal.interruption.aborted) throw error;
    await reportFailure(session, error, { debug: false });
  }
  if (!terminal.quiet)
    terminal.err.write('\nWaiting for the next save of the schema; Ctrl-C stops.\n');
}

/** Undefined while there is none. */
async function readSchema(session: Session, { request }: Run): Promise<string | undefined> {
  try {
    const origin = findSchema(session, request.dir);
    return origin.kind === 'file'
      ? await readFile(resolve(session.folder, origin.path), 'utf8')
      : undefined;
  } catch {
    return undefined;
  }
}
