import { present } from '../present.ts';
import type { App, Field } from '../model/app.ts';
import { listEnumValues } from '../model/lookups.ts';
import { findDefaultValue } from '../model/writing.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from './hazards/hazard.ts';
import { findAppAfter, type StoredMigration } from './heads/stored-migrations.ts';
import { type NewMigration, printPlan } from './make-migration.ts';
import { checksum, type Warning } from './migration.ts';
import { mapFields, planMigration } from './plan-migration.ts';
import { withoutComments } from './without-comments.ts';

/** Rewrites the last migration, with the same id, for a `backfill` that was added later, unless its SQL was edited. */
export function addLateBackfill(
  history: readonly StoredMigration[],
  now: App,
): { readonly again?: NewMigration; readonly warnings: readonly Warning[] } {
  const [previous, last] = history.filter((it) => it.texts['schema.yaml'] !== undefined).slice(-2);
  const after = last && findAppAfter(last);
  const filled = after && withBackfills(after, now);
  // Usually no backfill was added.
  const isLate = JSON.stringify(filled) !== JSON.stringify(after);
  const before = isLate && previous ? findAppAfter(previous) : undefined;
  if (!last || !after || !filled || !before) return { warnings: [] };
  const plan = planMigration({ before, after: filled });
  const former = planMigration({ before, after }).sql;
  if (plan.sql === former) return { warnings: [] };
  const { id, parent, texts, formerly, accepted, replaces, isEdited } = last;
  const { 'up.sql': sql = '', 'schema.yaml': schemaText = '' } = texts;
  // Comments may differ between versions.
  const isAsMade = !isEdited && withoutComments(sql) === withoutComments(former);
  if (replaces.length > 0)
    return { warnings: [lateBackfillWarning(id, 'it replaces several migrations')] };
  if (!isAsMade)
    return { warnings: [lateBackfillWarning(id, 'its `up.sql` would be written differently now')] };
  const head = { id, parent: parent ?? '', schemaText, formerly: [...formerly, checksum(sql)] };
  const newMigration = printPlan(plan, head);
  // Hazards that nobody has accepted yet.
  const isOpen = (it: Hazard) => needsAcceptance(it) && !accepted.includes(acceptanceKey(it));
  return { again: { ...newMigration, hazards: newMigration.hazards.filter(isOpen) }, warnings: [] };
}

/** Copies the backfills of fields whose values are unchanged. A later default fills rows without a value. */
function withBackfills(app: App, now: App): App {
  const fields = new Map(now.models.flatMap((it) => it.fields).map((it) => [it.id, it]));
  return mapFields(app, (field) => {
    const declared = fields.get(field.id);
    if (declared === undefined || valueRules(declared, now) !== valueRules(field, app))
      return field;
    const late = field.default === undefined ? findDefaultValue(declared) : undefined;
    return { ...field, ...present({ backfill: declared.backfill ?? field.backfill ?? late }) };
  });
}

function valueRules(field: Field, app: App): string {
  const { type, min, max, nullable } = field;
  return JSON.stringify([type, min, max, nullable, listEnumValues(field, app)]);
}

function lateBackfillWarning(id: string, reason: string): Warning {
  return {
    code: 'SCF514',
    message: `The \`backfill\` is newer than \`migrations/${id}\`. That migration is not changed: ${reason}.`,
    help: 'If it is not applied yet, write the `backfill` into its `up.sql`.',
  };
}
