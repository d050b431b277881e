import { type Field, isPassword, type JoinTable, type Model } from '../../model/app.ts';
import { isDeclaredHere, relationOfLinks } from '../../model/carried-ids.ts';
import { findModel } from '../../model/lookups.ts';
import type { Added, Change, Changed, Dropped, ModelField } from '../changes/change.ts';
import { type TableChanges, findKeptTable, findSource } from '../table-changes.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { makeBreakingHazard, makeHazard, type Hazard, type HazardKind } from './hazard.ts';
import { findNameHazard } from './taken-names.ts';
import { countRows } from './counts.ts';
import { listConversionHazards, listDroppedValueHazards } from './values.ts';
import { listLockHazards, listOrderHazards, listUniqueHazards } from './table-hazards.ts';
import { listKeyHazards, listMissingTargetHazards } from './keys.ts';

/** The hazards of applying changes to a database that has rows. */
export function listHazards(
  changes: readonly Change[],
  tableChanges: TableChanges,
): readonly Hazard[] {
  const all = [
    ...changes.flatMap((change) => listHazardsOfChange(change, tableChanges)),
    ...listUniqueHazards(tableChanges),
    ...listOrderHazards(tableChanges),
    ...listLockHazards(tableChanges),
  ];
  return all.filter((it, index) => !isReportedBefore(it, all.slice(0, index)));
}

/** Old code that fails is reported once per target. The first report has the most detail. */
function isReportedBefore({ kind, target }: Hazard, earlier: readonly Hazard[]): boolean {
  return isOfOldCode(kind) && earlier.some((it) => isOfOldCode(it.kind) && it.target === target);
}

const isOfOldCode = (kind: HazardKind) => kind === 'breaks' || kind === 'misleads';

function listHazardsOfChange(change: Change, tableChanges: TableChanges): readonly Hazard[] {
  const { target } = change;
  switch (change.kind) {
    case 'drop_model':
    case 'drop_links': {
      const isLinks = change.kind === 'drop_links';
      const heir = isLinks ? explainLostLinks(change.before, tableChanges) : '';
      const message = `This deletes all ${isLinks ? 'links' : 'rows'}.${heir}`;
      const count = countRows(change.before.table);
      return [
        makeHazard('SCF411', target, message, { count }),
        findNameHazard(change, tableChanges),
      ];
    }
    case 'drop_field':
      return droppedFieldHazards(change, tableChanges);
    case 'add_field':
      return addedFieldHazards(change, tableChanges);
    case 'require_field':
      return requiredFieldHazards(change, tableChanges);
    case 'change_type':
    case 'change_bounds':
      return listConversionHazards(change, tableChanges);
    case 'drop_value':
      return listDroppedValueHazards(change, tableChanges);
    case 'add_key':
      return listKeyHazards(change, tableChanges);
    case 'change_id':
      return idHazards(change, tableChanges);
    case 'rename_model':
    case 'move_table':
    case 'rename_field':
    case 'move_column':
    case 'rename_links':
    case 'link_key':
    case 'rename_value':
      return [findNameHazard(change, tableChanges)];
    default:
      return [];
  }
}

function idHazards(change: Changed<unknown, Model>, tableChanges: TableChanges): readonly Hazard[] {
  const { target } = change;
  const [before, after] = [change.before, change.after].map(findIdField);
  if (after?.field.type.kind === 'text' && before !== undefined) {
    return listConversionHazards(
      { ...change, target: `${target}.id`, before, after },
      tableChanges,
    );
  }
  const message =
    'Every row gets a new id. Foreign keys are updated; ids stored elsewhere are not.';
  const count = countRows(change.before.table);
  return [makeHazard('SCF416', target, message, { count }), makeBreakingHazard(target)];
}

function findIdField(model: Model): ModelField | undefined {
  const field = model.fields.find(({ role }) => role === 'id');
  return field && { model, field };
}

function droppedFieldHazards(
  change: Dropped<'drop_field', ModelField>,
  tableChanges: TableChanges,
): readonly Hazard[] {
  const { target, before } = change;
  const { model, field } = before;
  const message =
    field.role === 'deleted_at'
      ? 'Rows that were deleted will be visible again.'
      : `This deletes all values.${explainLostRelation(model, field.relation, tableChanges)}`;
  const count = countRows(model.table, `${identifierSql(field.column)} IS NOT NULL`);
  return [makeHazard('SCF412', target, message, { count }), findNameHazard(change, tableChanges)];
}

function addedFieldHazards(
  { target, after }: Added<unknown, ModelField>,
  tableChanges: TableChanges,
): readonly Hazard[] {
  const { model, field } = after;
  const table = findKeptTable(tableChanges, model);
  const source = findSource(tableChanges, after);
  if (field.nullable || table === undefined || source === undefined) return [];
  // The database generates the ids of links that become rows of a model.
  if (field.role === 'id') return [];
  const count = countRows(table.before.name);
  if (isPassword(field)) {
    const message =
      'Existing users have no password; they set one with the link that `POST /auth/forgot-password` mails them.';
    return [makeHazard('SCF421', target, message, { count, stops: false }), writesNone(target)];
  }
  if (source.fill !== undefined) {
    const own = source.after.default === undefined ? [writesNone(target)] : [];
    return [...listMissingTargetHazards(after, table, tableChanges), ...own];
  }
  const help =
    field.role === 'key'
      ? 'Give the relation a `backfill`; or make it optional, fill it in, then make it required'
      : 'Give the field a `backfill` or a default';
  const message = `Existing rows have no value. ${help}.`;
  return [makeHazard('SCF421', target, message, { count }), writesNone(target)];
}

function requiredFieldHazards(
  { target, before, after }: Changed<unknown, ModelField>,
  tableChanges: TableChanges,
): readonly Hazard[] {
  const table = findKeptTable(tableChanges, after.model);
  const isMissing = `${identifierSql(before.field.column)} IS NULL`;
  const { table: name } = before.model;
  const update = `UPDATE ${identifierSql(name)} SET ${identifierSql(before.field.column)} = '…' WHERE ${isMissing}`;
  const help = isBuiltInField(after.field)
    ? `It is built in and takes no \`backfill\`, so fill them in first: \`${update}\``
    : 'Give the field a `backfill`, or fill them in first';
  const message = `Some rows have no value. ${help}.`;
  const hazards =
    table === undefined || findSource(tableChanges, after)?.fill === undefined
      ? [makeHazard('SCF422', target, message, { count: countRows(before.model.table, isMissing) })]
      : listMissingTargetHazards(after, table, tableChanges, isMissing);
  return [...hazards, writesNone(target)];
}

const isBuiltInField = ({ role }: Field) => role !== 'declared' && role !== 'key';

function writesNone(target: string): Hazard {
  return makeBreakingHazard(target, 'leave it out, and fail once this is applied');
}

function explainLostLinks(join: JoinTable, tableChanges: TableChanges): string {
  const { before } = tableChanges.apps;
  const model = findModel(join.left.model, before);
  return explainLostRelation(model, relationOfLinks(join, before), tableChanges);
}

/** A relation with `was` may be so different that it keeps none of the data. */
function explainLostRelation(
  former: Model | undefined,
  name: string | undefined,
  { apps }: TableChanges,
): string {
  const model = apps.after.models.find(({ id }) => id === former?.id);
  const heir = model?.relations.find(
    (it) => it.kind !== 'inverse' && isDeclaredHere(it) && it.was === name,
  );
  if (name === undefined || model === undefined || heir === undefined) return '';
  return ` \`was\` at \`${model.name}.${heir.name}\` does not keep them: write into \`up.sql\` what happens to them.`;
}
