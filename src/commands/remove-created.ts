import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, dirname } from 'node:path';

/** What was there before a run. */
interface Before {
  readonly folder: string;
  /** The highest folder that the run will make; absent when the project's own is there already. */
  readonly firstNew?: string;
  readonly entries: ReadonlySet<string>;
}

export async function listBefore(folder: string): Promise<Before> {
  if (!existsSync(folder)) return { folder, firstNew: firstMissing(folder), entries: new Set() };
  return { folder, entries: new Set(await readdir(folder, { recursive: true })) };
}

function firstMissing(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? folder : firstMissing(parent);
}

/** Removes what this run made and leaves everything else: `scaffold new` replaces nothing. */
export async function removeCreated({ folder, firstNew, entries }: Before): Promise<void> {
  if (firstNew) return remove(firstNew);
  const now = await readdir(folder, { recursive: true });
  const wasThere = (path: string) => path === '.' || entries.has(path);
  const created = now.filter((path) => !wasThere(path) && wasThere(dirname(path)));
  for (const path of created) await remove(join(folder, path));
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });
