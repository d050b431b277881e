import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, dirname } from 'node:path';

/** Returns a function that removes everything made in a folder from now on, with new parents of the folder. */
export async function prepareRemoval(folder: string): Promise<() => Promise<void>> {
  if (!existsSync(folder)) {
    const highest = firstMissing(folder);
    return () => remove(highest);
  }
  const before = new Set(['.', ...(await readdir(folder, { recursive: true }))]);
  return async () => {
    const now = await readdir(folder, { recursive: true });
    const created = now.filter((path) => !before.has(path) && before.has(dirname(path)));
    for (const path of created) await remove(join(folder, path));
  };
}

function firstMissing(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? folder : firstMissing(parent);
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });
