import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Journal, readJournal, writeJournal } from './journal.ts';
import { runFolder, undoFolder } from '../paths.ts';

/**
 * A run that wrote nothing but the tool's own files goes with the one before it: both are taken back together. False
 * when it stands by itself.
 */
export async function followUndo(folder: string, { entries }: Journal): Promise<boolean> {
  const home = join(folder, undoFolder);
  const former = await readJournal(home);
  if (!former || !entries.every(({ path }) => path.startsWith('.scaffold/'))) return false;
  const now = new Map(entries.map((entry, at) => [entry.path, { entry, at }]));
  const known = new Set(former.entries.map(({ path }) => path));
  const added = [...now.values()].filter(({ entry }) => !known.has(entry.path));
  const followed = former.entries.map((entry) => ({
    ...entry,
    // Null is no file: a conflict that was settled takes its records away.
    after: (now.get(entry.path)?.entry ?? entry).after,
  }));
  for (const [at, { at: from }] of added.entries()) {
    const old = join(folder, runFolder, 'old', String(from));
    // A crash may have come after it was moved.
    if (existsSync(old)) await fs.rename(old, join(home, 'old', String(followed.length + at)));
  }
  await writeJournal(home, {
    ...former,
    entries: [...followed, ...added.map(({ entry }) => entry)],
  });
  await fs.rm(join(folder, runFolder), { recursive: true, force: true });
  return true;
}
