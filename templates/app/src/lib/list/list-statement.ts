import type { Viewer } from '../access.ts';
import { estimatedCount, json } from '../dialect.ts';
import { admitted, alive, column, from, source, type Source } from '../sql/conditions.ts';
import { rowJson } from '../sql/row.ts';
import { bound, joined, raw, sql, where, type Sql } from '../sql/sql.ts';
import { type Statement, statementOf } from '../sql/statement.ts';
import { filterSql } from './filter.ts';
import { type Key, type Range, rangesAfter, wholeRange } from './keyset.ts';
import { keySql } from './order.ts';
import type { ListPlan } from './plan.ts';

/** The same page read with its total, and without, for when the total is known. */
export interface ListStatements {
  readonly counted: Statement;
  readonly uncounted: Statement;
}

/**
 * One statement, so that total and items come from one snapshot. It answers one row: `total`; `count`, how many rows
 * were found, one more than the limit when there is a next page; `items`, a line each; and, unless the items hold
 * what the next page's cursor is made of, `keys`, a line each.
 */
export function listStatements(plan: ListPlan, viewer: Viewer | null): ListStatements {
  const rows = source(plan.resource);
  const conditions = [
    ...wanted(rows, plan),
    ...admitted(rows, plan.resource.policy.list(viewer)),
    ...plan.filters.map((filter) => filterSql(rows, filter, viewer)),
  ];
  const total = totalSql(rows, plan, conditions);
  const withTotal = (rest: Sql): ListStatements => ({
    counted: statementOf(sql`select ${total} as total, ${rest}`),
    uncounted: statementOf(sql`select null as total, ${rest}`),
  });
  if (plan.limit === 0) return withTotal(raw(`0 as count, '' as items`));

  const order = plan.order.map(({ path, descending, nullable }): Key => {
    return { value: keySql(rows, path, viewer), field: path.field, descending, nullable };
  });
  const item = sql`${rowJson(rows, plan.selection, viewer)} as item`;
  const isKeyed = !hasKeysInItems(plan);
  const columns = isKeyed ? sql`${item}, ${keysJson(order)} as keys` : item;
  const ranges = plan.position ? rangesAfter(order, plan.position) : wholeRange(order);
  const found = pageSql(plan, ranges, (range, limit) => {
    const kept = where([...conditions, ...range.conditions]);
    const ordered = joined(range.orderBy, ', ');
    return sql`select ${columns} from ${from(rows)}${kept} order by ${ordered}${limit}`;
  });
  const keys = isKeyed ? raw(`, string_agg(keys, '\n') as keys`) : raw('');
  return withTotal(sql`count(*) as count, ${items}${keys} from (${found}) as page`);
}

/** JSON text has no line ends, so one between two values keeps them apart. */
const items = raw(`string_agg(item, ',\n') as items`);

/** Whether the last item alone tells where the next page begins. */
export function hasKeysInItems({ order, selection }: ListPlan): boolean {
  return order.every(({ path }) => path.steps.length === 0 && selection.fields.includes(path.name));
}

function wanted(rows: Source, { deleted }: ListPlan): readonly Sql[] {
  if (deleted === 'with') return [];
  return deleted === 'only' ? [sql`${column(rows, 'deleted_at')} is not null`] : alive(rows);
}

function totalSql(rows: Source, { count }: ListPlan, conditions: readonly Sql[]): Sql {
  if (count === 'none') return raw('null');
  const exact = sql`(select count(*) from ${from(rows)}${where(conditions)})`;
  const isWhole = conditions.length === 0;
  return count === 'estimated' && isWhole ? estimatedCount(rows.resource, exact) : exact;
}

/** The ranges one after another; a range is read only when those before it were too short. */
function pageSql(
  { limit, offset }: ListPlan,
  ranges: readonly Range[],
  select: (range: Range, limit: Sql) => Sql,
): Sql {
  const most = limit + 1;
  const skip = offset === 0 ? raw('') : sql` offset ${bound(offset)}`;
  const [only, ...others] = ranges;
  if (only && others.length === 0) return select(only, sql` limit ${raw(String(most))}${skip}`);
  const enough = offset === 0 ? raw(String(most)) : bound(offset + most);
  const parts = ranges.map(
    (range) => sql`select * from (${select(range, sql` limit ${enough}`)}) as part`,
  );
  return sql`${joined(parts, ' union all ')} limit ${raw(String(most))}${skip}`;
}

function keysJson(keys: readonly Key[]): Sql {
  const texts = keys.map(({ value, field }) => sql`coalesce(${json(value, field)}, 'null')`);
  return sql`'[' || ${joined(texts, ` || ',' || `)} || ']'`;
}
