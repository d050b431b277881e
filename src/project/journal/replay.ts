import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDisk, readOrRefuse } from '../disk.ts';
import { isInterrupted, isToolFile, runFolder, undoFolder } from '../paths.ts';
import { hashFile, removeEmptyFolders, syncFolders } from './durable.ts';
import { type JournalEntry, type Journal, readJournal } from './journal.ts';

/** Whether the file of an entry is as it was, or as it is to be; neither when somebody else wrote it. */
async function readProgress(folder: string, { path, before, after }: JournalEntry, at: number) {
  const hash = await hashFile(join(folder, path));
  // Only the run itself removes staged files: if one is left, its entry was not done.
  const isStaged = after !== null && existsSync(join(folder, runFolder, 'new', String(at)));
  return { isBefore: hash === before, isAfter: hash === after, isStaged };
}

/** Puts one file into its new state; false if somebody else has written it meanwhile. */
export async function advance(folder: string, entry: JournalEntry, at: number): Promise<boolean> {
  const { isBefore, isAfter, isStaged } = await readProgress(folder, entry, at);
  const isToDo = entry.after === null ? isBefore && !isAfter : isStaged;
  if (isToDo && (isBefore || isAfter))
    await put(folder, entry.path, entry.after === null ? undefined : `new/${at}`);
  return isAfter || (isBefore && isToDo);
}

/** Moves a text of the run to its place, or removes what is there. */
async function put(folder: string, path: string, text: string | undefined): Promise<void> {
  const target = join(folder, path);
  if (text === undefined) return fs.unlink(target);
  await fs.mkdir(dirname(target), { recursive: true });
  await fs.rename(join(folder, runFolder, text), target);
}

/** Reverts every file that is as the run made it; what somebody else wrote stays. */
export async function takeBack(folder: string, { entries }: Journal): Promise<void> {
  for (const [at, entry] of entries.entries()) {
    const { isAfter, isStaged } = await readProgress(folder, entry, at);
    const old = entry.before === null ? undefined : `old/${at}`;
    const isAtHand = old === undefined || existsSync(join(folder, runFolder, old));
    if (isAfter && !isStaged && isAtHand) await put(folder, entry.path, old);
  }
  await leave(folder, entries);
  await fs.rm(join(folder, runFolder), { recursive: true, force: true });
}

/** All files are done: what is left of the run becomes what `--undo` needs, unless it wrote only the tool's own files. */
export async function finish(folder: string, { entries, undoable }: Journal): Promise<void> {
  await leave(folder, entries);
  const [run, undo] = [join(folder, runFolder), join(folder, undoFolder)];
  const isKept = undoable && entries.every(isToolFile);
  if (!isKept) await fs.rm(undo, { recursive: true, force: true });
  if (undoable && !isKept) await fs.rename(run, undo);
  else await fs.rm(run, { recursive: true, force: true });
}

async function leave(folder: string, entries: readonly JournalEntry[]): Promise<void> {
  const paths = entries.map(({ path }) => path);
  await removeEmptyFolders(
    folder,
    paths.filter((path) => !existsSync(join(folder, path))),
  );
  await syncFolders(paths.map((path) => dirname(join(folder, path))));
}

/** Finishes or reverts an interrupted run; every command that writes calls it first, under the run lock. */
export async function recover(folder: string): Promise<'nothing' | 'finished' | 'undone'> {
  if (!isInterrupted(folder)) return 'nothing';
  const home = join(folder, runFolder);
  const journal = await readJournal(home);
  if (!journal) {
    await fs.rm(home, { recursive: true, force: true });
    return 'undone';
  }
  refuseObstacles(folder, journal);
  if (await canFinish(folder, journal)) {
    for (const [at, entry] of journal.entries.entries()) await advance(folder, entry, at);
    await finish(folder, journal);
    return 'finished';
  }
  await takeBack(folder, journal);
  return 'undone';
}

/** Whether every file is either done or unchanged with its new text at hand. */
async function canFinish(folder: string, { entries }: Journal): Promise<boolean> {
  for (const [at, entry] of entries.entries()) {
    const { isBefore, isAfter, isStaged } = await readProgress(folder, entry, at);
    const isAtHand = entry.after === null || isStaged;
    if (!isAfter && !(isBefore && isAtHand)) return false;
  }
  return true;
}

/** A journal is a file in a repository, so it may only name plain files of the project. */
function refuseObstacles(folder: string, { entries }: Journal): void {
  const disk = openDisk(folder);
  for (const { path } of entries) readOrRefuse(disk, path);
}
