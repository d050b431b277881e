import type { KeptTable } from '../table-changes.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { ColumnSource } from '../tables/column-source.ts';
import { conditionSql } from '../tables/index-conditions.ts';
import type { TableIndex } from '../tables/table.ts';

/** A query on the database before the migration that returns one number. */
export function countRows(table: string, condition = ''): string {
  const where = condition === '' ? '' : ` WHERE ${condition}`;
  return `SELECT count(*) FROM ${identifierSql(table)}${where}`;
}

/** Counts rows that would share a unique key. Nulls never do. */
export function countDuplicates(
  { before, columns }: KeptTable,
  { where = [] }: TableIndex,
  sources: readonly ColumnSource[],
): string {
  const some = where.flatMap((asked) =>
    columns
      .filter(({ after }) => after.name === asked.column)
      .map((it) => `${oldValue(it)} ${conditionSql(asked)}`),
  );
  const values = sources.map(oldValue);
  const numbers = values.map((_, index) => index + 2).join(', ');
  const conditions = [...values.map((value) => `${value} IS NOT NULL`), ...some];
  const groups = `SELECT count(*) AS many, ${values.join(', ')} FROM ${identifierSql(before.name)} WHERE ${conditions.join(' AND ')} GROUP BY ${numbers} HAVING count(*) > 1`;
  return `SELECT coalesce(sum(many), 0) FROM (${groups}) AS alike`;
}

/** The SQL of a column's new value, from the old table. An old id stands for its new one. */
export function oldValue({ before, value, asked = value, isRekeyed }: ColumnSource): string {
  const old = before === undefined ? 'NULL' : identifierSql(before.name);
  return isRekeyed ? old : asked(old);
}
