import { sql } from 'kysely';
import { json, scansNullsLast } from '../../database/dialect.ts';
import { type Compilable, slot } from '../../database/slot.ts';
import type { Tables } from '../../database/tables.ts';
import type { ViewerInSql } from '../access.ts';
import { isEmbedded, type Path } from '../resource.ts';
import { invalid, queryFault } from '../problem.ts';
import { rowJson } from '../row-json.ts';
import { all, column, fromRelated, source, type Source, type Sql, target } from '../sql.ts';
import { type TableRows, wholeRows } from '../table-rows.ts';
import { writeCursor } from './cursor.ts';
import { filterSql, type NextOperand, operandSlots } from './filter.ts';
import type { ListPlan } from './plan.ts';

/** What a list statement answers: one row. */
export interface FoundPage {
  readonly total: number | string | null;
  /** How many rows were found, one more than the limit when there is a next page. */
  readonly count: number | string;
  /** A line each. */
  readonly items: string | null;
  /** What the next page's cursor is made of, a line each, unless the items hold that; `null` where there is none. */
  readonly keys?: string | null;
}

/**
 * One statement, so that total and items come from one snapshot. An order that the rows have already comes before that
 * of the request; such a list has no cursors, which know of fields alone.
 */
export function listStatement<Joined extends keyof Tables>(
  rows: TableRows<Joined>,
  plan: ListPlan,
  { viewer, isWhole }: { readonly viewer: ViewerInSql | null; readonly isWhole: boolean },
): Compilable<FoundPage> {
  const next = operandSlots();
  const about = source(plan.resource);
  const filters = plan.filters.map((filter) => filterSql(about, filter, { viewer, next }));
  const found = filters.length === 0 ? rows : rows.where(all(filters));
  const total = totalSql(found, plan, isWhole && found === rows);
  if (plan.limit === 0) return counted(total, sql`(select 0 as count, '' as items)`);

  const order = plan.order.map(({ path, descending, nullable }): Key => {
    return { value: keySql(about, path, viewer), descending, nullable };
  });
  const isInOwnOrder = rows.toOperationNode().orderBy !== undefined;
  if (isInOwnOrder && plan.position) throw noCursor();
  const fromTheStart = isInOwnOrder ? allRows(order) : wholeRange(order);
  const ranges = plan.position
    ? rangesAfter(
        order,
        plan.position.map((value) => value === null),
        next,
      )
    : fromTheStart;
  const page = pageSql<Joined>(plan, ranges, ({ conditions, orderBy }) => {
    const within = conditions.length === 0 ? found : found.where(all(conditions));
    const ordered = orderBy.reduce<TableRows<Joined>>((query, key) => query.orderBy(key), within);
    return wholeRows(ordered, plan.resource.table);
  });
  // JSON text has no line ends, so one between two values keeps them apart. It is made of the rows of the page alone.
  const items = sql`string_agg(${rowJson(about, plan.selection, viewer)}, ${sql.lit(',\n')}) as items`;
  const behind = sql`string_agg(${keysJson(plan, order)}, ${sql.lit('\n')})`;
  const cursorless = isInOwnOrder ? sql`, null as keys` : sql``;
  const keys = isInOwnOrder || hasKeysInItems(plan) ? cursorless : sql`, ${behind} as keys`;
  return counted(
    total,
    sql`(select count(*) as count, ${items}${keys} from ${page} as ${sql.table(about.alias)})`,
  );
}

function noCursor() {
  return invalid([queryFault('cursor', 'conflicting', 'has no place in this order: use `offset`')]);
}

/** Whether the last item alone tells where the next page begins. */
function hasKeysInItems({ order, selection }: ListPlan): boolean {
  return order.every(({ path }) => path.steps.length === 0 && selection.fields.includes(path.name));
}

/** Of a whole table, triggers keep the total of most: it is exact, and as quick to read in a large one. */
function totalSql<Joined extends keyof Tables>(
  rows: TableRows<Joined>,
  { count, resource, deleted }: ListPlan,
  isWhole: boolean,
): Sql {
  if (count === 'none') return sql`null`;
  const exact = rows.clearOrderBy().select(sql<number>`count(*)`.as('total'));
  if (!isWhole) return exact;
  const kept = sql.raw({ with: 'total', only: 'deleted', without: 'total - deleted' }[deleted]);
  const found = sql`select sum(${kept}) from row_counts where name = ${sql.lit(resource.table)}`;
  return sql`coalesce((${found}), (${exact}))`;
}

const offsetSlot = slot<number>(({ offset }) => offset);

/** The ranges one after another; a range is read only when those before it were too short. */
function pageSql<Joined extends keyof Tables>(
  { limit, offset }: ListPlan,
  ranges: readonly Range[],
  select: (range: Range) => TableRows<Joined>,
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

/** One statement, so that rows are not counted in another state than they are shown in. */
function counted(total: Sql, page: Sql): Compilable<FoundPage> {
  return sql`select found.*, ${total} as total from ${page} as found`;
}

/** The value that a row is ordered by; NULL when the viewer may not read the other side. */
function keySql(
  rows: Source,
  { steps, name }: Pick<Path, 'steps' | 'name'>,
  viewer: ViewerInSql | null,
): Sql {
  const [relation, ...others] = steps;
  if (relation === undefined) return column(rows, name);
  const isShown = others.length === 0 && isEmbedded(relation, name);
  const crossing = { rows, relation, viewer, isEmbedded: isShown };
  const inner = keySql(target(crossing), { steps: others, name }, viewer);
  return sql`(select ${inner}${fromRelated(crossing)})`;
}

interface Key {
  readonly value: Sql;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** Some of the rows, in order, that one range of an index can hold. */
interface Range {
  readonly conditions: readonly Sql[];
  readonly orderBy: readonly Sql[];
}

/** All rows, in one piece. */
function allRows(keys: readonly Key[]): readonly Range[] {
  return [{ conditions: [], orderBy: orderSql(keys) }];
}

/** All rows. Those without a first key come last: where no index has them there, they are a range of their own. */
function wholeRange(keys: readonly Key[]): readonly Range[] {
  const [first, ...others] = keys;
  if (first?.nullable !== true || scansNullsLast(first)) return allRows(keys);
  return [
    {
      conditions: [sql`${first.value} is not null`],
      orderBy: orderSql([present(first), ...others]),
    },
    { conditions: [sql`${first.value} is null`], orderBy: orderSql(others) },
  ];
}

/**
 * The rows behind a position, nearest first: those that differ from it in the last key alone, in the last two, …
 * Said in one condition, `k1 > v1 or (k1 = v1 and k2 > v2)`, they would be found by a walk from the first row.
 * `isNull` tells of each key whether the position has no value there; the others are operands.
 */
function rangesAfter(
  keys: readonly Key[],
  isNull: readonly boolean[],
  next: NextOperand,
): readonly Range[] {
  const values = isNull.map((nothing) => (nothing ? undefined : next()));
  const from = (at: number): readonly Range[] => {
    const [key, ...others] = keys.slice(at);
    const value = values[at];
    // Nothing lies behind a null.
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

/** A key that the range's conditions keep from being null, so that an index serves either direction. */
function present(key: Key): Key {
  return { ...key, nullable: false };
}

/** Nulls last, either way. */
function orderSql(keys: readonly Key[]): readonly Sql[] {
  return keys.map(({ value, descending, nullable }) => {
    const direction = sql.raw(`${descending ? ' desc' : ''}${nullable ? ' nulls last' : ''}`);
    return sql`${value}${direction}`;
  });
}

/** A page as it is sent. */
export interface Page {
  /** The JSON text of the page. */
  readonly body: string;
  readonly total: number | null;
  /** The queries of other pages of the list, without `?`. */
  readonly links: Links;
}

type Links = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', string>>>;

/** Puts the page together from the one row of a list statement. */
export function pageOf(plan: ListPlan, row: FoundPage): Page {
  const { limit, position } = plan;
  const total = row.total === null ? null : Number(row.total);
  const isFollowed = Number(row.count) > limit;
  const found = row.items ?? '';
  const items = isFollowed ? found.slice(0, found.lastIndexOf(',\n')) : found;
  const isKeyed = isFollowed && row.keys !== null;
  const next = isKeyed ? cursorBehind(plan, items, row.keys ?? '') : undefined;
  const offset = position === undefined ? plan.offset : null;
  const cursor = next === undefined ? '' : `,"next_cursor":"${next}"`;
  return {
    body: `{"items":[${items}],"total":${total},"limit":${limit},"offset":${offset}${cursor}}`,
    total,
    links: linksOf(plan, total, { isFollowed, next }),
  };
}

/** The cursor of the last item: nothing but that item, or its keys, is parsed. */
function cursorBehind(plan: ListPlan, items: string, keys: string): string {
  const { fingerprint, limit } = plan;
  if (hasKeysInItems(plan)) {
    return writeCursor(fingerprint, keysIn(items.slice(items.lastIndexOf('\n') + 1), plan));
  }
  return writeCursor(fingerprint, JSON.parse(keys.split('\n')[limit - 1] ?? '[]'));
}

function keysIn(item: string, { order }: ListPlan): readonly unknown[] {
  const row: Readonly<Record<string, unknown>> = JSON.parse(item);
  return order.map(({ path }) => row[path.name]);
}

function linksOf(
  plan: ListPlan,
  total: number | null,
  { isFollowed, next }: { readonly isFollowed: boolean; readonly next: string | undefined },
): Links {
  const { limit, offset, position, query } = plan;
  if (limit === 0) return {};
  const prefix = query === '' ? '' : `${query}&`;
  if (position !== undefined) {
    return { first: query, ...(next === undefined ? {} : { next: `${prefix}cursor=${next}` }) };
  }
  const at = (start: number) => `${prefix}offset=${start}`;
  return {
    first: at(0),
    ...(offset > 0 ? { prev: at(Math.max(0, offset - limit)) } : {}),
    ...(isFollowed ? { next: at(offset + limit) } : {}),
    ...(total === null ? {} : { last: at(lastStart(plan, total)) }),
  };
}

/** Where the last page begins when every page is full: pages may start off the grid. */
function lastStart({ limit, offset }: ListPlan, total: number): number {
  const first = offset % limit;
  return total <= first ? 0 : first + Math.floor((total - 1 - first) / limit) * limit;
}
