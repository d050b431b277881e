import type { Gone } from '../plan/fate.ts';
import type { Project } from '../read-project.ts';

/**
 * The project as if its last run had made by the new template what it made by one that has another name now: the file
 * moves, and its owner's edits are merged. Where a file has gone into one that was there, or several into one, nothing is
 * a new name for anything.
 */
export function followRenamed(project: Project, gone: ReadonlyMap<string, Gone>): Project {
  const { files } = project.record;
  const known = new Set(Object.values(files).map(({ id }) => id));
  const claims = [...gone.values()].flatMap(({ now }) => now.map(({ id }) => id));
  const renamed = new Map(
    [...gone.values()].flatMap(({ path, now: [only, ...others] }) =>
      only && others.length === 0 && !known.has(only.id) && isOnce(only.id, claims)
        ? [[path, only.id] as const]
        : [],
    ),
  );
  if (renamed.size === 0) return project;
  const entries = Object.entries(files).map(
    ([path, file]) => [path, { ...file, id: renamed.get(path) ?? file.id }] as const,
  );
  return {
    ...project,
    record: { ...project.record, files: Object.fromEntries(entries) },
    renamedTemplates: new Set(renamed.values()),
  };
}

function isOnce(id: string, all: readonly string[]): boolean {
  return all.filter((it) => it === id).length === 1;
}
