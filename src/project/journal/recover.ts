import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { advance, finish, readProgress, takeBack } from './commit.ts';
import { openDisk, refuse } from '../disk.ts';
import { isInterrupted } from '../find-project.ts';
import { type Journal, readJournal } from './journal.ts';
import { runFolder } from '../paths.ts';

/** Finishes or takes back what an interrupted run left; every command that writes calls it first, under the run lock. */
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

/** Every file is as it was, with its new text at hand, or as it is to be. */
async function canFinish(folder: string, { entries }: Journal): Promise<boolean> {
  for (const [at, entry] of entries.entries()) {
    const { isBefore, isAfter } = await readProgress(folder, entry, at);
    const isAtHand = entry.after === null || existsSync(join(folder, runFolder, 'new', String(at)));
    if (!isAfter && !(isBefore && isAtHand)) return false;
  }
  return true;
}

/** A journal is a file in a repository: it leads nowhere but to plain files of the project. */
function refuseObstacles(folder: string, { entries }: Journal): void {
  const disk = openDisk(folder);
  for (const { path } of entries) {
    const found = disk(path);
    if (found?.kind === 'obstacle') throw refuse(path, found.what);
  }
}
