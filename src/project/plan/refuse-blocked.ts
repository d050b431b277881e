import { exitCode, UserError } from '../../errors.ts';
import { type Disk, refuse } from '../disk.ts';
import type { Fate } from './fate.ts';
import type { Change } from '../plan.ts';

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

/** Throws when files that need a merge have conflict markers in them, from git or from an earlier run. */
export function refuseMarked(fates: readonly Fate[]): void {
  const marked = fates.filter(({ standing }) => standing === 'marked');
  if (marked.length === 0) return;
  const paths = marked.map(({ path }) => `\`${path}\``).join(', ');
  throw new UserError('SCF506', `Conflict markers are in ${paths}.`, {
    exit: exitCode.conflicts,
    help: 'Settle what is between them, and run the command again.',
  });
}
