import { on } from 'node:events';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ExitCode, exitCode } from '../../errors.ts';
import { reportFailure } from '../../terminal/failure.ts';
import type { Session } from '../../terminal/report.ts';
import { locateSchema } from '../schema-source.ts';
import { schemaFiles } from '../../project/paths.ts';
import type { Run } from './request.ts';

/** Editors save in several steps. */
const savingTime = 150;

/** Runs now and after each save of the schema, until Ctrl-C. */
export async function watchSchema(
  session: Session,
  run: Run,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal } = session;
  // Watches the folder, because editors replace the file, and starts before the first run, so that no save is missed.
  const watcher = watch(run.folder);
  const changes = on(watcher, 'change', { signal: terminal.interruption });
  try {
    let last = await readSavedSchema(session, run);
    await attempt(session, work);
    for await (const [, name] of changes) {
      if (!schemaFiles.includes(String(name))) continue;
      await wait(savingTime);
      const text = await readSavedSchema(session, run);
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

async function readSavedSchema(session: Session, { request }: Run): Promise<string | undefined> {
  try {
    const origin = locateSchema(session, request.dir);
    return origin.kind === 'file'
      ? await readFile(resolve(session.folder, origin.path), 'utf8')
      : undefined;
  } catch {
    return undefined;
  }
}
