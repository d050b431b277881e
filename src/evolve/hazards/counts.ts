import type { Field, Model } from '../../model/app.ts';
import type { ColumnSource } from '../columns/column-source.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { identifierSql } from '../sql/sql-text.ts';

/** Queries on the database as it is before the migration: each gives one number. */

export function countRows(table: string, condition?: string): string {
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  return `SELECT count(*) FROM ${identifierSql(table)}${where}`;
}

/** Rows that would share a unique key with another; what is NULL is like nothing else. */
export function countDuplicates(
  { before, after, columns }: KeptTable,
  names: readonly string[],
): string {
  const deleted = after.columns.find(({ field }) => field.role === 'deleted_at');
  const isDeleted = before.columns.find(({ field }) => field.id === deleted?.field.id);
  const values = names.map((name) => oldValue(columns.find((it) => it.after.name === name)));
  const places = values.map((_, index) => index + 2).join(', ');
  const conditions = [
    ...values.map((value) => `${value} IS NOT NULL`),
    ...(isDeleted === undefined ? [] : [`${identifierSql(isDeleted.name)} IS NULL`]),
  ];
  const groups = `SELECT count(*) AS many, ${values.join(', ')} FROM ${identifierSql(before.name)} WHERE ${conditions.join(' AND ')} GROUP BY ${places} HAVING count(*) > 1`;
  return `SELECT coalesce(sum(many), 0) FROM (${groups}) AS alike`;
}

/** The SQL of a column's value to be, from the table as it is; an id that becomes another one stands for that. */
function oldValue(source: ColumnSource | undefined): string {
  if (source === undefined) return 'NULL';
  const old = source.before === undefined ? 'NULL' : identifierSql(source.before.name);
  return source.rekeyed === undefined ? source.value(old) : old;
}

export function keptTable(evolution: Evolution, model: Pick<Model, 'id'>): KeptTable | undefined {
  return evolution.kept.find(({ after }) => after.id === model.id);
}

export function sourceOf(
  evolution: Evolution,
  place: { readonly model: Model; readonly field: Pick<Field, 'id'> },
): ColumnSource | undefined {
  const table = keptTable(evolution, place.model);
  return table?.columns.find(({ after }) => after.field.id === place.field.id);
}
