import { type Expression, sql, type SqlBool } from 'kysely';
import { gathered } from '../../database/dialect.ts';
import type { Tables } from '../../database/tables.ts';
import { offsetSlot, type Sql } from '../sql.ts';
import type { TableRows } from '../table-rows.ts';
import type { ListPlan } from './plan.ts';

/** A way to find the rows of a page, and the condition for using it. Without one, it is always used. */
export interface Way<Joined extends keyof Tables> {
  readonly rows: TableRows<Joined>;
  readonly when?: Expression<SqlBool>;
}

/**
 * Two ways to a page of rows that are scattered over an index. A few are best looked up and sorted; of many, a walk in
 * the order of the list soon meets enough. Which is quicker depends on how many there are, so the statement has both,
 * counts, and takes one.
 */
export function twoWays<Joined extends keyof Tables>(
  few: TableRows<Joined>,
  many: TableRows<Joined>,
  { resource }: ListPlan,
): readonly Way<Joined>[] {
  const areMany = sql`(select are_many from _seen)`;
  return [
    { rows: gathered(few, resource.table), when: sql<SqlBool>`${areMany} = 0` },
    { rows: many, when: sql<SqlBool>`${areMany} = 1` },
  ];
}

/**
 * Counts the rows, and decides whether they are many: a look-up reads all `total` of them, a walk reads some
 * `page * all / total` rows before it has a page, so it is quicker once `total * total > page * all`. If no total is
 * shown, counting ends there, and goes through the parts of an "or" one by one; a row of two parts counts twice.
 */
export function seenSql<Joined extends keyof Tables>(
  parts: readonly TableRows<Joined>[],
  { count, limit, offset, resource }: ListPlan,
): Sql {
  const most = sql`${sql.lit(limit + 1)}.0`;
  const page = offset === 0 ? most : sql`(${most} + ${offsetSlot})`;
  const all = sql`(select sum(total) from row_counts where name = ${sql.lit(resource.table)})`;
  const enough = sql`(select coalesce(cast(sqrt(${page} * ${all}) as bigint), 0) + 1)`;
  const ones = parts.map(
    (rows) => sql`select * from ${rows.clearOrderBy().select(sql`1`.as('one'))} as part`,
  );
  const first = count === 'none' ? sql` limit ${enough}` : sql``;
  const counted = sql`select count(*) as total from (${sql.join(ones, sql` union all `)}${first}) as first`;
  const areMany = sql`case when total * 1.0 * total > ${page} * ${all} then 1 else 0 end`;
  return sql`select total, ${areMany} as are_many from (${counted}) as counted`;
}
