import type { Change, Plan } from '../../project/plan.ts';
import type { Regeneration } from '../../project/regeneration.ts';

/** The others are told, and leave the file as it is. */
export function writes({ action }: Change): boolean {
  return !idle.has(action);
}

const idle: ReadonlySet<Change['action']> = new Set(['skip', 'adopt', 'eject']);

/** Whether anything on the disk would become another, or a question is open on the way there. */
export function isBehind({ plan, ambiguities, unaccepted }: Regeneration): boolean {
  const questions = ambiguities.length + unaccepted.length;
  return questions > 0 || plan.changes.some(writes) || plan.bookkeeping.length > 0;
}

/** `7 files written, 12 keep your edits, 140 are as before.` */
export function summary({ changes, kept, unchanged }: Plan, verb: string): string {
  const written = changes.filter(writes).length;
  return `${[
    `${written} ${written === 1 ? 'file' : 'files'} ${verb}`,
    ...(kept > 0 ? [`${kept} ${kept === 1 ? 'keeps' : 'keep'} your edits`] : []),
    ...(unchanged > 0 ? [`${unchanged} ${unchanged === 1 ? 'is' : 'are'} as before`] : []),
  ].join(', ')}.`;
}
