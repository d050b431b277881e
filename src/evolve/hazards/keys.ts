import { type Changed, type ModelField, fieldPath } from '../changes/change.ts';
import { storageOf } from '../dialect.ts';
import { type TableChanges, type KeptTable, findKeptTable } from '../table-changes.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { type ForeignKey, findIdColumn, findKeyOn } from '../tables/table.ts';
import { makeHazard, type Hazard } from './hazard.ts';
import { countRows } from './counts.ts';

export function listKeyHazards(
  { target, before, after }: Changed<unknown, ModelField>,
  tableChanges: TableChanges,
): readonly Hazard[] {
  const column = identifierSql(before.field.column);
  const table = findKeptTable(tableChanges, after.model)?.after;
  const goal = formerTarget(table && findKeyOn(table, after.field.column), tableChanges);
  const orphans =
    goal === undefined ? '' : ` AND ${column} NOT IN (SELECT ${goal.id} FROM ${goal.table})`;
  const count = countRows(before.model.table, `${column} IS NOT NULL${orphans}`);
  const message = `Rows whose \`${target}\` refers to a missing row must be fixed first.`;
  return [makeHazard('SCF425', target, message, { count })];
}

/** Counts rows whose key would lead to a missing row. */
export function listMissingTargetHazards(
  added: ModelField,
  { before, after }: KeptTable,
  tableChanges: TableChanges,
  condition?: string,
): readonly Hazard[] {
  const { column, backfill, type } = added.field;
  const key = findKeyOn(after, column);
  if (backfill === undefined || key === undefined) return [];
  const id = storageOf(type, tableChanges.dialect).literal(backfill);
  const goal = formerTarget(key, tableChanges);
  const isMissing = goal && `NOT EXISTS (SELECT 1 FROM ${goal.table} WHERE ${goal.id} = ${id})`;
  const conditions = [condition, isMissing].filter((it) => it !== undefined);
  const count = countRows(before.name, conditions.join(' AND '));
  const message = `Existing rows will refer to id ${id}, so \`${key.table}\` must contain it.`;
  return [makeHazard('SCF425', fieldPath(added), message, { count })];
}

/** Undefined if no row can have the new key yet, because the table is new or its ids change. */
function formerTarget(key: ForeignKey | undefined, { kept }: TableChanges) {
  const table = kept.find(({ after }) => after.id === key?.target);
  if (table === undefined || table.newId !== undefined) return undefined;
  const id = findIdColumn(table.before);
  if (id === undefined) return undefined;
  return { table: identifierSql(table.before.name), id: identifierSql(id.name) };
}
