import { type SelectQueryBuilder, sql } from 'kysely';
import { estimatedCount, json } from '../../database/dialect.ts';
import { slot } from '../../database/slot.ts';
import type { Tables } from '../../database/tables.ts';
import type { ViewerInSql } from '../access.ts';
import { invalid, queryFault } from '../problem.ts';
import { rowJson } from '../sql/row.ts';
import { all, source, type Sql } from '../sql/source.ts';
import type { Compilable } from '../statement.ts';
import { filterSql, operandSlots } from './filter.ts';
import { allRows, type Key, type Range, rangesAfter, wholeRange } from './keyset.ts';
import { keySql, type ListPlan } from './plan.ts';
import { countedOnce, type Counted } from './total.ts';

/** What a list statement answers: one row. */
export interface FoundPage extends Counted {
  /** How many rows were found, one more than the limit when there is a next page. */
  readonly count: number | string;
  /** A line each. */
  readonly items: string | null;
  /** What the next page's cursor is made of, a line each, unless the items hold that; `null` where there is none. */
  readonly keys?: string | null;
}

/**
 * The rows that a list is about, before a request narrows them down. An order that they have already comes before that
 * of the request; such a list has no cursors, which know of fields alone.
 */
export type ListRows<Joined extends keyof Tables> = SelectQueryBuilder<Tables, Joined, object>;

/** One statement, so that total and items come from one snapshot. */
export function listStatement<Joined extends keyof Tables>(
  rows: ListRows<Joined>,
  plan: ListPlan,
  viewer: ViewerInSql | null,
): Compilable<FoundPage> {
  const next = operandSlots();
  const about = source(plan.resource);
  const filters = plan.filters.map((filter) => filterSql(about, filter, { viewer, next }));
  const found = filters.length === 0 ? rows : rows.where(all(filters));
  const isWhole = found.toOperationNode().where === undefined;
  const total = countedOnce(totalSql(found, plan, isWhole));
  if (plan.limit === 0) return sql<FoundPage>`select ${total}, 0 as count, '' as items`;

  const order = plan.order.map(({ path, descending, nullable }): Key => {
    return { value: keySql(about, path, viewer), descending, nullable };
  });
  const item = sql`${rowJson(about, plan.selection, viewer)}`.as('item');
  const isInOwnOrder = rows.toOperationNode().orderBy !== undefined;
  if (isInOwnOrder && plan.position) throw noCursor();
  const isKeyed = !isInOwnOrder && !hasKeysInItems(plan);
  const shown = isKeyed
    ? found.select([item, keysJson(plan, order).as('keys')])
    : found.select(item);
  const fromTheStart = isInOwnOrder ? allRows(order) : wholeRange(order);
  const ranges = plan.position
    ? rangesAfter(
        order,
        plan.position.map((value) => value === null),
        next,
      )
    : fromTheStart;
  const page = pageSql<Joined>(plan, ranges, ({ conditions, orderBy }) => {
    const within = conditions.length === 0 ? shown : shown.where(all(conditions));
    return orderBy.reduce<ListRows<Joined>>((query, key) => query.orderBy(key), within);
  });
  const joined = isKeyed ? sql`, string_agg(keys, ${sql.lit('\n')}) as keys` : sql``;
  const keys = isInOwnOrder ? sql`, null as keys` : joined;
  return sql<FoundPage>`select ${total}, count(*) as count, ${items}${keys} from ${page} as page`;
}

/** JSON text has no line ends, so one between two values keeps them apart. */
const items = sql`string_agg(item, ${sql.lit(',\n')}) as items`;

function noCursor() {
  return invalid([queryFault('cursor', 'conflicting', 'has no place in this order: use `offset`')]);
}

/** Whether the last item alone tells where the next page begins. */
export function hasKeysInItems({ order, selection }: ListPlan): boolean {
  return order.every(({ path }) => path.steps.length === 0 && selection.fields.includes(path.name));
}

function totalSql<Joined extends keyof Tables>(
  rows: ListRows<Joined>,
  { count, resource }: ListPlan,
  isWhole: boolean,
): Sql {
  if (count === 'none') return sql`null`;
  const exact = rows.clearOrderBy().select(sql<number>`count(*)`.as('total'));
  return count === 'estimated' && isWhole ? estimatedCount(resource.table, exact) : exact;
}

const offsetSlot = slot<number>(({ offset }) => offset);

/** The ranges one after another; a range is read only when those before it were too short. */
function pageSql<Joined extends keyof Tables>(
  { limit, offset }: ListPlan,
  ranges: readonly Range[],
  select: (range: Range) => ListRows<Joined>,
): Sql {
  const most = sql<number>`${sql.lit(limit + 1)}`;
  const [only, ...others] = ranges;
  if (only && others.length === 0) {
    const page = select(only).limit(most);
    return offset === 0 ? page : page.offset(offsetSlot);
  }
  const enough = offset === 0 ? most : sql<number>`${most} + ${offsetSlot}`;
  const parts = ranges.map((range) => sql`select * from ${select(range).limit(enough)} as part`);
  const skip = offset === 0 ? sql`` : sql` offset ${offsetSlot}`;
  return sql`(${sql.join(parts, sql` union all `)} limit ${most}${skip})`;
}

function keysJson({ order }: ListPlan, keys: readonly Key[]) {
  const texts = keys.map(
    ({ value }, at) =>
      sql`coalesce(${json(value, order[at]?.path.field ?? { type: 'text' })}, 'null')`,
  );
  return sql<string>`'[' || ${sql.join(texts, sql` || ',' || `)} || ']'`;
}
