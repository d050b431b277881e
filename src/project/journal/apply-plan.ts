import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { exitCode, InternalError, UserError } from '../../errors.ts';
import { type Disk, openDisk, readOrRefuse } from '../disk.ts';
import { runFolder } from '../paths.ts';
import { isInterrupted } from '../project-folder.ts';
import type { Plan, Write } from '../plan.ts';
import { copyDurably, syncFolders, writeDurably } from './durable.ts';
import { hashOrNull, type Journal, writeJournal, listWrites } from './journal.ts';
import { writeNewText, keepForUndo, revertRun } from './replay.ts';

/**
 * Writes a plan, whole or not at all; under the run lock. Throws a `UserError` when a file was changed meanwhile. The
 * former files are kept for `--undo`, if the run can be undone. Files are staged, journalled, then replaced one by one:
 * the next run finishes or reverts what a crash leaves.
 */
export async function applyPlan(
  folder: string,
  plan: Plan,
  { undoable = true }: Partial<Pick<Journal, 'undoable'>> = {},
): Promise<void> {
  if (isInterrupted(folder)) throw new InternalError('An interrupted run was not recovered.');
  const disk = openDisk(folder);
  const needed = listWrites(plan).filter((write) => isNeededWrite(write, disk));
  if (needed.length === 0) return;
  const entries = needed.map(({ path, before, after }) => {
    return { path, before: hashOrNull(before), after: hashOrNull(after) };
  });
  const journal: Journal = { version: 1, undoable, entries };
  await prepare(folder, needed, journal);
  await commitRun(folder, journal);
}

async function prepare(folder: string, writes: readonly Write[], journal: Journal): Promise<void> {
  const home = join(folder, runFolder);
  const folders = ['', 'new', 'old'].map((name) => join(home, name));
  try {
    for (const path of folders) await fs.mkdir(path);
    for (const [at, write] of writes.entries()) await stage(folder, write, at);
    await syncFolders(folders);
    await writeJournal(home, journal);
    await syncFolders([home]);
  } catch (error) {
    await fs.rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** Files that already match are not touched, so their timestamps stay. */
function isNeededWrite({ path, before, after, mode }: Write, disk: Disk): boolean {
  const found = readOrRefuse(disk, path);
  if (found?.text !== before) throw changedMeanwhile(path);
  return before !== after || (mode !== undefined && found !== undefined && found.mode !== mode);
}

async function stage(folder: string, write: Write, at: number): Promise<void> {
  const { path, before, after, mode } = write;
  const target = join(folder, path);
  const home = join(folder, runFolder);
  if (before !== undefined) await copyDurably(target, join(home, 'old', String(at)));
  if (after !== undefined) {
    const staged = join(home, 'new', String(at));
    await writeDurably(staged, after, mode === '755' ? 0o777 : 0o666);
    const like = write.like ?? (before === undefined ? undefined : path);
    if (like !== undefined) await fs.chmod(staged, await permissions(join(folder, like), mode));
  }
}

/** A file keeps its permissions, except that the plan decides whether it is executable. */
async function permissions(target: string, mode: Write['mode']): Promise<number> {
  const now = (await fs.stat(target)).mode & 0o777;
  if (mode === undefined) return now;
  return mode === '755' ? now | ((now & 0o444) >> 2) : now & ~0o111;
}

async function commitRun(folder: string, journal: Journal): Promise<void> {
  try {
    for (const [at, entry] of journal.entries.entries()) {
      if (!(await writeNewText(folder, entry, at))) throw changedMeanwhile(entry.path);
    }
  } catch (error) {
    await revertRun(folder, journal);
    throw error;
  }
  await keepForUndo(folder, journal);
}

function changedMeanwhile(path: string): UserError {
  return new UserError('SCF513', `\`${path}\` was changed by something else during this run.`, {
    exit: exitCode.environment,
    help: 'Run the command again.',
    disk: 'Everything is as it was before the run; that file keeps the other change.',
  });
}
