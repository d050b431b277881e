import { acceptanceKey } from './hazards/hazard.ts';
import type { MigrationPlan } from './plan-migration.ts';
import { isTouched } from './tables/differences.ts';
import { isInternal } from './tables/internal-tables.ts';

/** Sentences about changes and hazards for the heading of a migration, which already says what breaks old code. */
export function describeMigration({
  changes,
  hazards,
  tableChanges,
}: MigrationPlan): readonly string[] {
  const { added, dropped, kept } = tableChanges;
  const touched = [...added, ...dropped, ...kept.filter(isTouched).map(({ after }) => after)];
  const internal = touched.filter(({ id }) => isInternal(id)).map(({ name }) => name);
  const risks = hazards.filter(({ kind }) => kind !== 'breaks');
  return [
    ...new Set(changes.map(({ sentence }) => sentence)),
    ...risks.map((it) => `${acceptanceKey(it)}: ${it.message.replaceAll('`', '')}`),
    ...(internal.length === 0
      ? []
      : [`This version needs the server's own tables in another form: ${internal.join(', ')}.`]),
  ];
}
