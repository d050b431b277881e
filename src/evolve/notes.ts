import type { Change } from './changes/change.ts';
import { describeChange, tablesOfChange } from './changes/describe.ts';
import { acceptanceKey, type Hazard } from './hazards/hazard.ts';
import { isInternal } from './tables/internal-tables.ts';

/** The sentences about each table, by its id. */
export type Notes = (table: { readonly id: string }) => readonly string[];

/** Each change, and below it what it risks. What breaks running code is said once, at the top of the migration. */
export function notesOf(changes: readonly Change[], hazards: readonly Hazard[]): Notes {
  const notes = changes.map((change) => ({
    tables: tablesOfChange(change),
    lines: [
      describeChange(change),
      ...hazards
        .filter(({ kind, target }) => kind !== 'breaks' && target === change.target)
        .map((hazard) => `${acceptanceKey(hazard)}: ${hazard.message.replaceAll('`', '')}`),
    ],
  }));
  return ({ id }) => [
    ...(isInternal(id) ? [internalNote] : []),
    ...new Set(notes.filter(({ tables }) => tables.includes(id)).flatMap(({ lines }) => lines)),
  ];
}

const internalNote =
  'Authentication and mail keep this table: the code of this version needs it so.';
