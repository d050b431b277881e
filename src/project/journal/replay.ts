import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDisk, readOrRefuse } from '../disk.ts';
import { isBelowScaffold, runFolder, undoFolder } from '../paths.ts';
import { isInterrupted } from '../project-folder.ts';
import { hashFile, removeEmptyFolders, syncFolders } from './durable.ts';
import { type JournalEntry, type Journal, readJournal, writeJournal } from './journal.ts';

/** Whether a file has its old text (`before`) or its new text; neither if somebody else wrote it. */
async function readProgress(folder: string, entry: JournalEntry) {
  const target = join(folder, entry.path);
  const hash = await hashFile(target);
  return { target, isBefore: hash === entry.before, isAfter: hash === entry.after };
}

/** Writes the new text of one file; false if somebody else has written the file meanwhile. */
export async function writeNewText(
  folder: string,
  entry: JournalEntry,
  at: number,
): Promise<boolean> {
  const { target, isBefore, isAfter } = await readProgress(folder, entry);
  const staged = join(folder, runFolder, 'new', String(at));
  if (entry.after === null) {
    if (isBefore && !isAfter) await fs.unlink(target);
    return isBefore || isAfter;
  }
  if (!existsSync(staged)) return isAfter;
  if (!isBefore && !isAfter) return false;
  await fs.mkdir(dirname(target), { recursive: true });
  await fs.rename(staged, target);
  return true;
}

/** Reverts every file that the run wrote, except those that somebody else has written since. */
export async function revertRun(folder: string, { entries }: Journal): Promise<void> {
  for (const [at, entry] of entries.entries()) await restoreFile(folder, entry, at);
  await settleFolders(folder, entries);
  await fs.rm(join(folder, runFolder), { recursive: true, force: true });
}

async function restoreFile(folder: string, entry: JournalEntry, at: number): Promise<void> {
  const { target, isAfter } = await readProgress(folder, entry);
  const old = join(folder, runFolder, 'old', String(at));
  // Only the run itself removes staged files, so an entry whose staged file is left was not done.
  const isDone = entry.after === null || !existsSync(join(folder, runFolder, 'new', String(at)));
  if (!isAfter || !isDone) return;
  if (entry.before === null) await fs.unlink(target);
  else if (existsSync(old)) {
    await fs.mkdir(dirname(target), { recursive: true });
    await fs.rename(old, target);
  }
}

/** Keeps what `--undo` needs, after all files are written. */
export async function keepForUndo(folder: string, journal: Journal): Promise<void> {
  await settleFolders(folder, journal.entries);
  if (journal.undoable && (await joinFormerRun(folder, journal))) return;
  const undo = join(folder, undoFolder);
  await fs.rm(undo, { recursive: true, force: true });
  if (journal.undoable) await fs.rename(join(folder, runFolder), undo);
  else await fs.rm(join(folder, runFolder), { recursive: true, force: true });
}

async function settleFolders(folder: string, entries: readonly JournalEntry[]): Promise<void> {
  const paths = entries.map(({ path }) => path);
  await removeEmptyFolders(
    folder,
    paths.filter((path) => !existsSync(join(folder, path))),
  );
  await syncFolders(paths.map((path) => dirname(join(folder, path))));
}

/** Combines a run that wrote only files of `.scaffold/` with the run before it; false if that is not possible. */
async function joinFormerRun(folder: string, { entries }: Journal): Promise<boolean> {
  const home = join(folder, undoFolder);
  const former = await readJournal(home);
  if (!former || !entries.every(({ path }) => isBelowScaffold(path))) return false;
  const now = new Map(entries.map((entry, at) => [entry.path, { entry, at }]));
  const known = new Set(former.entries.map(({ path }) => path));
  const added = [...now.values()].filter(({ entry }) => !known.has(entry.path));
  const followed = former.entries.map((entry) => ({
    ...entry,
    // Null means that there is no file.
    after: (now.get(entry.path)?.entry ?? entry).after,
  }));
  for (const [at, { at: from }] of added.entries()) {
    const old = join(folder, runFolder, 'old', String(from));
    // After a crash, it may have been moved already.
    if (existsSync(old)) await fs.rename(old, join(home, 'old', String(followed.length + at)));
  }
  await writeJournal(home, {
    ...former,
    entries: [...followed, ...added.map(({ entry }) => entry)],
  });
  await fs.rm(join(folder, runFolder), { recursive: true, force: true });
  return true;
}

/** Finishes or reverts an interrupted run. Every command that writes calls it first, under the run lock. */
export async function recover(folder: string): Promise<'nothing' | 'finished' | 'undone'> {
  if (!isInterrupted(folder)) return 'nothing';
  const home = join(folder, runFolder);
  const journal = await readJournal(home);
  if (!journal) {
    await fs.rm(home, { recursive: true, force: true });
    return 'undone';
  }
  // The journal is a file of a repository, so it may only name plain files of the project.
  const disk = openDisk(folder);
  for (const { path } of journal.entries) readOrRefuse(disk, path);
  if (await canFinish(folder, journal)) {
    for (const [at, entry] of journal.entries.entries()) await writeNewText(folder, entry, at);
    await keepForUndo(folder, journal);
    return 'finished';
  }
  await revertRun(folder, journal);
  return 'undone';
}

/** Whether every file either is done or still has its old text, with the new text at hand. */
async function canFinish(folder: string, { entries }: Journal): Promise<boolean> {
  for (const [at, entry] of entries.entries()) {
    const { isBefore, isAfter } = await readProgress(folder, entry);
    const isAtHand = entry.after === null || existsSync(join(folder, runFolder, 'new', String(at)));
    if (!isAfter && !(isBefore && isAtHand)) return false;
  }
  return true;
}
