import { recordPath } from '../../project/paths.ts';
import type { Change, Plan } from '../../project/plan.ts';
import type { Regeneration } from '../../project/regeneration.ts';

/** The others are told, and leave the file as it is. */
export function writes({ action }: Change): boolean {
  return !idle.has(action);
}

const idle: ReadonlySet<Change['action']> = new Set(['skip', 'adopt', 'eject']);

/**
 * Whether anything on the disk would become another, or a question is open on the way there. The record alone may wait:
 * it would only note what the owner did, such as a migration of his own.
 */
export function isBehind({ plan, ambiguities, doubts, unaccepted }: Regeneration): boolean {
  const questions = ambiguities.length + doubts.length + unaccepted.length;
  const isRemembered = plan.bookkeeping.every(({ path }) => path === recordPath);
  return questions > 0 || plan.changes.some(writes) || !isRemembered;
}

/** `7 files written, 12 keep your edits, 140 are as before.` */
export function summary({ changes, kept, left, unchanged, deleted }: Plan, verb: string): string {
  const written = changes.filter(writes).length;
  const counts = [
    [kept, 'keeps your edits', 'keep your edits'],
    [left, 'waits', 'wait'],
    [unchanged, 'is as before', 'are as before'],
    [deleted, 'stays deleted', 'stay deleted'],
  ] as const;
  const told = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return `${[`${written} ${written === 1 ? 'file' : 'files'} ${verb}`, ...told].join(', ')}.`;
}
