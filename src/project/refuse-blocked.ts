import { type Disk, refuse } from './disk.ts';
import type { Change } from './plan.ts';

/** Throws when a file cannot be written where it goes, before anything is. */
export function refuseBlocked(changes: readonly Change[], disk: Disk): void {
  const vacated = new Set(
    changes.flatMap(({ action, from, path }) => (action === 'delete' ? [path] : (from ?? []))),
  );
  for (const change of changes) {
    const { path, from } = change;
    const there = disk(path);
    if (there?.kind === 'obstacle' && change.action !== 'eject') throw refuse(path, there.what);
    if (from !== undefined && there && !vacated.has(path)) {
      throw refuse(path, `a file of yours is there, and \`${from}\` moves to it`);
    }
    for (const place of isWritten(change) ? [path, ...(from ?? [])] : []) {
      const found = disk(place);
      if (found?.kind === 'text' && found.isReadOnly) throw refuse(place, 'it is read-only');
    }
  }
}

function isWritten({ before, after, from }: Change): boolean {
  return before !== after || from !== undefined;
}
