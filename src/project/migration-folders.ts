import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whether another branch brought migrations that no run here has seen. */
export function hasForeignMigrations(folder: string, recorded: readonly string[]): boolean {
  const known = new Set(recordedMigrations(recorded));
  return listMigrations(folder).some((id) => !known.has(id));
}

/** Folders of `migrations/` with something to run. */
export function listMigrations(folder: string): readonly string[] {
  const root = join(folder, 'migrations');
  if (!existsSync(root)) return [];
  return readdirSync(root).filter((id) => existsSync(join(root, id, 'up.sql')));
}

/** Ids of the migrations among the paths of a record. */
export function recordedMigrations(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const [, id] = /^migrations\/([^/]+)\/up\.sql$/.exec(path) ?? [];
    return id === undefined ? [] : [id];
  });
}
