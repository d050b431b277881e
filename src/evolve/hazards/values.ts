import { findConversion, copyColumn } from '../../types/all.ts';
import { textSql } from '../../types/sql.ts';
import type { Sql } from '../../types/field-type.ts';
import type { Changed, Dropped, ModelField, Value } from '../changes/change.ts';
import { type TableChanges, findSource } from '../table-changes.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { countRows } from './counts.ts';
import { makeBreakingHazard, type Hazard, makeHazard } from './hazard.ts';
import { findNameHazard } from './taken-names.ts';

/** Values that lose something in a conversion, and values that the new column cannot hold. */
export function listConversionHazards(
  { target, before, after }: Changed<unknown, ModelField>,
  tableChanges: TableChanges,
): readonly Hazard[] {
  const source = findSource(tableChanges, after);
  if (source === undefined) return [];
  const { lossSql, misfitSql, fill } = source;
  const column = identifierSql(before.field.column);
  const rowsWith = (holds: Sql) => countRows(before.model.table, holds(column));
  const types = { before: before.field.type, after: after.field.type };
  const conversion = findConversion(types, tableChanges.dialect.engine);
  const isSame = conversion === copyColumn;
  const stand = fill === undefined ? '' : ' The `backfill` or default takes their place.';
  const allGo = `This deletes all values: none can be converted to the new type.${stand}`;
  const lose = (count: string) =>
    conversion === undefined
      ? makeHazard('SCF412', target, allGo, { count })
      : makeHazard('SCF413', target, 'Values lose what the new type cannot hold.', { count });
  const unfit = 'Values that are no longer allowed';
  const remedy = 'Give the field a `backfill`, which those rows get';
  const refuse = (count: string) =>
    fill === undefined
      ? makeHazard('SCF424', target, `${unfit} must be fixed first.`, { count, remedy })
      : makeHazard('SCF414', target, `${unfit} are replaced by the \`backfill\`.`, { count });
  return [
    ...(lossSql ? [lose(rowsWith(lossSql))] : []),
    ...(misfitSql ? [refuse(rowsWith(misfitSql))] : []),
    ...(isSame ? [] : [makeBreakingHazard(target)]),
    ...(isSame && misfitSql
      ? [makeBreakingHazard(target, `fail where they write what \`${target}\` no longer allows`)]
      : []),
  ];
}

/** Rows with a removed value get the backfill. Without one, no row may have the value. */
export function listDroppedValueHazards(
  change: Dropped<'drop_value', Value>,
  tableChanges: TableChanges,
): readonly Hazard[] {
  const { target, before } = change;
  const { value } = before;
  const holders = before.fields.filter(
    (holder) => findSource(tableChanges, holder)?.after.field.type.kind === 'enum',
  );
  if (holders.length === 0) return [];
  const unfilled = holders.filter((holder) => findSource(tableChanges, holder)?.fill === undefined);
  const isFilled = unfilled.length === 0;
  const count = countHolders(isFilled ? holders : unfilled, value);
  const message = isFilled
    ? `Rows that hold \`${value}\` get the field's \`backfill\`.`
    : holdersFirst(unfilled, value);
  return [
    makeHazard('SCF415', target, message, { count, stops: !isFilled }),
    findNameHazard(
      change,
      tableChanges,
      makeBreakingHazard(target, `fail where they write \`${value}\``),
    ),
  ];
}

function holdersFirst(holders: readonly ModelField[], value: string): string {
  const names = holders.map(({ model, field }) => `\`${model.name}.${field.name}\``);
  const rows = `Rows whose ${names.join(' or ')} is \`${value}\` must be changed first`;
  // The role of a user is not declared in the schema, so it has no `backfill`.
  return holders.some(({ field }) => field.role === 'declared')
    ? `${rows}, or the field needs a \`backfill\`.`
    : `${rows}: give those users another role.`;
}

function countHolders(holders: readonly ModelField[], value: string): string {
  const counts = holders.map(({ model, field }) =>
    countRows(model.table, `${identifierSql(field.column)} = ${textSql(value)}`),
  );
  return counts.length === 1
    ? counts.join()
    : `SELECT ${counts.map((it) => `(${it})`).join(' + ')}`;
}
