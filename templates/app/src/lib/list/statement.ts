import { sql } from 'kysely';
import { json, limitedIf, scansNullsLast, walked } from '../../database/dialect.ts';
import type { Compilable } from '../../database/slot.ts';
import type { Tables } from '../../database/tables.ts';
import { type Condition, isScattered, partsOf, type ViewerInSql } from '../access.ts';
import type { Path } from '../resource.ts';
import { invalid, queryFault } from '../problem.ts';
import { rowJson } from '../row-json.ts';
import {
  all,
  column,
  crossingTo,
  fromRelated,
  source,
  type Source,
  type Sql,
  target,
} from '../sql.ts';
import { selectAllOf, type TableRows } from '../table-rows.ts';
import type { OrderKey } from './cursor.ts';
import { filterSql, type NextOperand, operandSlots, type Writing } from './filter.ts';
import type { ListPlan } from './plan.ts';
import { hasOwnOrder, offsetSlot, seenSql, twoWays, type Way } from './ways.ts';

/** The one row that a list statement returns. */
export interface FoundPage {
  readonly total: number | string | null;
  /** How many rows were found, one more than the limit when there is a next page. */
  readonly count: number | string;
  /** One line for each item. */
  readonly items: string | null;
  /** The values for the next page's cursor, one on each line, unless the items have them; `null` if there are none. */
  readonly keys?: string | null;
}

/**
 * One statement, so that total and items come from the same snapshot. If the rows already have an order, it comes before
 * that of the request; such a list has no cursors, since a cursor is made of fields alone.
 */
export function listStatement<Joined extends keyof Tables>(
  rowsBy: (rule: Condition) => TableRows<Joined>,
  plan: ListPlan,
  { viewer, rule, isWhole }: How,
): Compilable<FoundPage> {
  const writing = { viewer, next: operandSlots() };
  const about = source(plan.resource);
  const filters = plan.filters.map((filter) => filterSql(about, filter, writing));
  const foundBy = (is: Condition) =>
    filters.length === 0 ? rowsBy(is) : rowsBy(is).where(all(filters));
  const found = foundBy(rule);
  if (plan.limit > 0 && isScattered(rule) && !hasOwnOrder(found)) {
    const page = pageSql(twoWays(found, foundBy(walked(rule)), plan), plan, writing);
    const isCounted = plan.count !== 'none';
    const total = isCounted ? sql`(select total from seen)` : sql`null`;
    const seen = seenSql(isCounted ? [found] : partsOf(rule).map(foundBy), plan);
    return sql`with seen as materialized (${seen}) select found.*, ${total} as total from ${page} as found`;
  }
  const page = plan.limit === 0 ? noRows : pageSql([{ rows: found }], plan, writing);
  const total = totalSql(found, plan, isWhole && filters.length === 0);
  return sql`select found.*, ${total} as total from ${page} as found`;
}

interface How {
  readonly viewer: ViewerInSql | null;
  /** What the policy says about the rows. */
  readonly rule: Condition;
  readonly isWhole: boolean;
}

const noRows = sql`(select 0 as count, '' as items)`;

/** Triggers keep the total of a whole table: exact, and as quick to read for a large one. */
function totalSql<Joined extends keyof Tables>(
  rows: TableRows<Joined>,
  { count, deleted, resource }: ListPlan,
  isWhole: boolean,
): Sql {
  if (count === 'none') return sql`null`;
  const counted = rows.clearOrderBy().select(sql<number>`count(*)`.as('total'));
  if (!isWhole) return counted;
  const kept = sql.raw({ with: 'total', only: 'deleted', without: 'total - deleted' }[deleted]);
  const sum = sql`(select sum(${kept}) from row_counts where name = ${sql.lit(resource.table)})`;
  return sql`coalesce(${sum}, ${counted})`;
}

/** How many rows there are, their JSON on a line each, and the values for the next cursor unless the JSON has them. */
function pageSql<Joined extends keyof Tables>(
  ways: readonly Way<Joined>[],
  plan: ListPlan,
  { viewer, next }: Writing,
): Sql {
  const about = source(plan.resource);
  const order = plan.order.map((key): Key => ({ ...key, value: keySql(about, key.path, viewer) }));
  const isInOwnOrder = ways.some(({ rows }) => hasOwnOrder(rows));
  if (isInOwnOrder && plan.position) throw noCursor();
  const ranges = rangesOf(order, plan.position, { isInOwnOrder, next });
  const parts = ways.flatMap((way) =>
    ranges.map(({ conditions, orderBy }) => {
      const rows = conditions.length === 0 ? way.rows : way.rows.where(all(conditions));
      const ordered = orderBy.reduce<TableRows<Joined>>((query, key) => query.orderBy(key), rows);
      return { ...way, rows: selectAllOf(ordered, plan.resource.table) };
    }),
  );
  const page = firstOf(plan, parts);
  // JSON text has no line breaks, so they can separate values. Only the rows of the page become JSON.
  const items = sql`string_agg(${rowJson(about, plan.selection, viewer)}, ${sql.lit(',\n')})`;
  const behind = sql`, string_agg(${keysJson(order)}, ${sql.lit('\n')}) as keys`;
  const isInItems = !isInOwnOrder && hasKeysInItems(plan);
  const keys = isInOwnOrder ? sql`, null as keys` : isInItems ? sql`` : behind;
  return sql`(select count(*) as count, ${items} as items${keys} from ${page} as ${sql.table(about.alias)})`;
}

function noCursor() {
  return invalid([queryFault('cursor', 'conflicting', 'has no place in this order: use `offset`')]);
}

/** Whether the last item is enough to tell where the next page begins. */
function hasKeysInItems({ order, selection }: ListPlan): boolean {
  return order.every(({ path }) => path.steps.length === 0 && selection.fields.includes(path.name));
}

function keysJson(keys: readonly Key[]): Sql {
  const texts = keys.map(({ value, path }) => sql`coalesce(${json(value, path.field)}, 'null')`);
  return sql`'[' || ${sql.join(texts, sql` || ',' || `)} || ']'`;
}

/** The parts one after another; each is read only if those before it had too few rows. */
function firstOf<Joined extends keyof Tables>(
  { limit, offset }: ListPlan,
  parts: readonly Way<Joined>[],
): Sql {
  const most = sql<number>`${sql.lit(limit + 1)}`;
  const [only, ...others] = parts;
  if (only && others.length === 0) {
    const page = only.rows.limit(most);
    return offset === 0 ? page : page.offset(offsetSlot);
  }
  const enough = offset === 0 ? most : sql<number>`${most} + cast(${offsetSlot} as bigint)`;
  const texts = parts.map(
    ({ rows, when }) =>
      sql`select * from ${when ? limitedIf(when, rows, enough) : rows.limit(enough)} as part`,
  );
  const skip = offset === 0 ? sql`` : sql` offset ${offsetSlot}`;
  return sql`(${sql.join(texts, sql` union all `)} limit ${most}${skip})`;
}

/** The value that a row is ordered by; NULL if the viewer may not read the related row. */
function keySql(rows: Source, path: Path, viewer: ViewerInSql | null): Sql {
  const crossing = crossingTo(rows, path, viewer);
  if (crossing === undefined) return column(rows, path.name);
  const inner = keySql(target(crossing), { ...path, steps: path.steps.slice(1) }, viewer);
  return sql`(select ${inner}${fromRelated(crossing)})`;
}

interface Key extends OrderKey {
  readonly value: Sql;
}

/** Rows that one range of an index yields in order. */
interface Range {
  readonly conditions: readonly Sql[];
  readonly orderBy: readonly Sql[];
}

function rangesOf(
  keys: readonly Key[],
  position: ListPlan['position'],
  { isInOwnOrder, next }: { readonly isInOwnOrder: boolean; readonly next: NextOperand },
): readonly Range[] {
  if (position !== undefined) return rangesAfter(keys, position, next);
  const [first, ...others] = keys;
  if (isInOwnOrder || first?.nullable !== true || scansNullsLast(first)) {
    return [{ conditions: [], orderBy: orderSql(keys) }];
  }
  // Rows whose first key is null come last: if the index has them elsewhere, they are a range of their own.
  return [
    {
      conditions: [sql`${first.value} is not null`],
      orderBy: orderSql([present(first), ...others]),
    },
    { conditions: [sql`${first.value} is null`], orderBy: orderSql(others) },
  ];
}

/**
 * The rows after a position, nearest first: those that differ from it in the last key only, in the last two, and so on.
 * As one condition, `k1 > v1 or (k1 = v1 and k2 > v2)`, they would be found by a walk from the first row.
 */
function rangesAfter(
  keys: readonly Key[],
  position: readonly unknown[],
  next: NextOperand,
): readonly Range[] {
  const values = position.map((value) => (value === null ? undefined : next()));
  const from = (at: number): readonly Range[] => {
    const [key, ...others] = keys.slice(at);
    const value = values[at];
    // Nothing comes after a null.
    if (key === undefined || value === undefined) return [];
    const same = keys.slice(0, at).map((before, index) => equals(before, values[index]));
    const beyond = sql`${key.value} ${sql.raw(key.descending ? '<' : '>')} ${value}`;
    const ranges = [
      { conditions: [...same, beyond], orderBy: orderSql([present(key), ...others]) },
    ];
    if (!key.nullable) return ranges;
    const absent = sql`${key.value} is null`;
    return [...ranges, { conditions: [...same, absent], orderBy: orderSql(others) }];
  };
  return keys.map((_, index) => from(keys.length - 1 - index)).flat();
}

function equals(key: Key, value: Sql | undefined): Sql {
  return value === undefined ? sql`${key.value} is null` : sql`${key.value} = ${value}`;
}

/** A key that cannot be null in this range, so that an index serves either direction. */
function present(key: Key): Key {
  return { ...key, nullable: false };
}

/** Nulls last, in either direction. */
function orderSql(keys: readonly Key[]): readonly Sql[] {
  return keys.map(({ value, descending, nullable }) => {
    const direction = sql.raw(`${descending ? ' desc' : ''}${nullable ? ' nulls last' : ''}`);
    return sql`${value}${direction}`;
  });
}
