import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digest } from '../../digest.ts';
import { hasCode } from '../../errors.ts';

/** Writes a new file and waits until its content is on the disk. */
export async function writeDurably(path: string, text: string, mode = 0o666): Promise<void> {
  const handle = await fs.open(path, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function copyDurably(from: string, to: string): Promise<void> {
  await fs.copyFile(from, to);
  await syncPath(to);
}

/** Makes renames in these folders survive a power failure. */
export async function syncFolders(folders: Iterable<string>): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  for (const folder of new Set(folders)) await syncPath(folder).catch(unlessGone);
}

/** Null if there is no file. `unreadable`, which equals no hash, if it cannot be read. */
export async function hashFile(path: string): Promise<string | null> {
  try {
    return digest(await fs.readFile(path));
  } catch (error) {
    return hasCode(error, ['ENOENT', 'ENOTDIR']) ? null : 'unreadable';
  }
}

/** Removes folders that are empty now, from the parents of `paths` upwards, except `folder` itself. */
export async function removeEmptyFolders(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if (!(await removeEmptyFolder(join(folder, above)))) break;
    }
  }
}

async function removeEmptyFolder(folder: string): Promise<boolean> {
  try {
    await fs.rmdir(folder);
    return true;
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return true;
    // It is not empty or may not be removed. The codes differ between systems.
    return false;
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await fs.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function unlessGone(error: unknown): void {
  if (!hasCode(error, ['ENOENT', 'ENOTDIR'])) throw error;
}
