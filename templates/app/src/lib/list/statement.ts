import { sql } from 'kysely';
import { json, limitedIf, walked } from '../../database/dialect.ts';
import { type Compilable, slot, type Slot } from '../../database/slot.ts';
import type { Tables } from '../../database/tables.ts';
import { admittedBy, type Condition, isScattered, partsOf, type ViewerInSql } from '../access.ts';
import { invalid, queryFault } from '../problem.ts';
import { rowJson } from '../row-json.ts';
import { admitted, alive, all, column, source, type Sql } from '../sql.ts';
import { narrowed, type OwnRows, selectAllOf, type TableRows } from '../table-rows.ts';
import { filterSql, nextOperands, type FilterScope } from './filter.ts';
import { defaultLimit } from './parameters.ts';
import type { ListPlan } from './plan.ts';
import { type Key, keySql, rangesOf } from './ranges.ts';
import { hasOwnOrder, offsetSlot, seenSql, twoWays, type Way } from './ways.ts';

/** The one row that a list statement returns. */
export interface FoundPage {
  readonly total: number | string | null;
  /** How many rows were found, one more than the limit when there is a next page. */
  readonly count: number | string;
  /** How many of them fit into an answer, if not all may. */
  readonly fitting?: number | string;
  /** One line for each item. */
  readonly items: string | null;
  /** The values for the next page's cursor, one on each line, unless the items have them; `null` if there are none. */
  readonly keys?: string | null;
}

/** What the rows of a list may depend on. */
export interface ListScope {
  readonly viewer: ViewerInSql | null;
  /** The values of the resource's own parameters that the request has. */
  readonly parameters: { readonly [name: string]: Slot<string> | undefined };
  /** Whether the client asks for an order. An `orderBy` of your own takes precedence over it. */
  readonly isOrdered: boolean;
}

export interface ListOptions<Table extends keyof Tables, Joined extends keyof Tables> {
  /** What else holds of the rows, what is joined to them, or an order of their own. */
  readonly rows?: OwnRows<Table, Joined, ListScope> | undefined;
}

/**
 * One statement, so that total and items come from the same snapshot. If the rows already have an order, it comes before
 * that of the request; such a list has no cursors, since a cursor is made of fields alone.
 */
export function listStatement<Table extends keyof Tables, Joined extends keyof Tables>(
  table: TableRows<Table>,
  plan: ListPlan,
  { viewer, rows }: ListOptions<Table, Joined> & { readonly viewer: ViewerInSql | null },
): Compilable<FoundPage> {
  const { resource } = plan;
  const writing = { viewer, next: nextOperands() };
  const rule = resource.policy.list(viewer);
  const conditions = [
    ...conditionsOnDeleted(plan, viewer),
    ...plan.filters.map((filter) => filterSql(source(resource), filter, writing)),
  ];
  const foundBy = (is: Condition) => {
    const seen = table.$call(admittedBy(is));
    const found = conditions.length === 0 ? seen : seen.where(all(conditions));
    return narrowed(found, rows, scopeOf(plan, viewer));
  };
  const found = foundBy(rule);
  if (plan.limit > 0 && isScattered(rule) && !hasOwnOrder(found)) {
    const parts = partsOf(rule);
    const page = pageSql(twoWays(found, foundBy(walked(parts)), plan), plan, writing);
    const isCounted = plan.count !== 'none';
    const total = isCounted ? sql`(select total from _seen)` : sql`null`;
    const seen = seenSql(isCounted ? [found] : parts.map(foundBy), plan);
    // No table of a model has a name like this.
    return sql`with _seen as materialized (${seen}) select found.*, ${total} as total from ${page} as found`;
  }
  // A total is kept of the whole table: it is right if no condition but that on deleted rows narrows it down.
  const own = resource.softDelete === undefined || plan.deleted === 'with' ? 0 : 1;
  const isWhole = rows === undefined && rule === true && conditions.length === own;
  const page = plan.limit === 0 ? noRows : pageSql([{ rows: found }], plan, writing);
  return sql`select found.*, ${totalSql(found, plan, isWhole)} as total from ${page} as found`;
}

/** Hides deleted rows, unless the request asks for them: those are shown to whoever may restore them. */
function conditionsOnDeleted(
  { resource, deleted }: ListPlan,
  viewer: ViewerInSql | null,
): readonly Sql[] {
  const [rows, deletedAt] = [source(resource), resource.softDelete];
  if (deletedAt === undefined || deleted === 'without') return alive(rows);
  if (deleted === 'with') return [];
  const restored = admitted(rows, resource.policy.restore(viewer));
  return [sql`${column(rows, deletedAt)} is not null`, ...restored];
}

function scopeOf({ parameters, isOrdered }: ListPlan, viewer: ViewerInSql | null): ListScope {
  const names = Object.keys(parameters);
  const slots = names.map(
    (name) => [name, slot<string>((bindings) => bindings.parameters?.[name])] as const,
  );
  return { viewer, isOrdered, parameters: Object.fromEntries(slots) };
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
  { viewer, next }: FilterScope,
): Sql {
  const about = source(plan.resource);
  const order = plan.order.map((key): Key => ({ ...key, value: keySql(about, key.path, viewer) }));
  const isInOwnOrder = ways.some(({ rows }) => hasOwnOrder(rows));
  if (isInOwnOrder && plan.position)
    throw invalid([
      queryFault('cursor', 'conflicting', 'has no place in this order: use `offset`'),
    ]);
  const ranges = rangesOf(order, plan.position, { isInOwnOrder, next });
  const parts = ways.flatMap((way) =>
    ranges.map(({ conditions, orderBy }) => {
      const rows = conditions.length === 0 ? way.rows : way.rows.where(all(conditions));
      const ordered = orderBy.reduce<TableRows<Joined>>((query, key) => query.orderBy(key), rows);
      return { ...way, rows: selectAllOf(ordered, plan.resource.table) };
    }),
  );
  const page = sql`${firstOf(plan, parts)} as ${sql.table(about.alias)}`;
  const item = rowJson(about, plan.selection, viewer);
  const isInItems = !isInOwnOrder && hasKeysInItems(plan);
  const keys = isInOwnOrder ? sql`null` : isInItems ? undefined : keysJson(order);
  return isMeasured(plan) ? fittingLines(page, item, keys) : lines(page, item, keys);
}

/** The running sum takes as long as a usual page, which cannot become that large. */
function isMeasured({ limit, selection }: ListPlan): boolean {
  return limit > defaultLimit || selection.embedded.some((it) => it.selection.embedded.length > 0);
}

/** JSON text has no line breaks, so they can separate values. Only the rows of the page become JSON. */
function lines(page: Sql, item: Sql, keys?: Sql): Sql {
  const behind = keys === undefined ? sql`` : sql`, string_agg(${keys}, ${newLine}) as keys`;
  return sql`(select count(*) as count, string_agg(${item}, ${comma}) as items${behind} from ${page})`;
}

/** A page of more rows than usual ends after the row with which it reaches this many bytes. */
const maxBytesInPage = 16 * 1024 * 1024;

/** The lines of the rows that fit. Rows without a window take half the time. */
function fittingLines(page: Sql, item: Sql, keys?: Sql): Sql {
  const [made, behind] =
    keys === undefined
      ? [sql``, sql``]
      : [sql`, ${keys} as keys`, sql`, string_agg(keys, ${newLine}) filter (where fits) as keys`];
  const before = sql`sum(octet_length(item)) over (rows unbounded preceding) - octet_length(item)`;
  const rows = sql`select *, ${before} < ${sql.lit(maxBytesInPage)} as fits from (select ${item} as item${made} from ${page}) as made`;
  return sql`(select count(*) as count, count(*) filter (where fits) as fitting, string_agg(item, ${comma}) filter (where fits) as items${behind} from (${rows}) as measured)`;
}

const comma = sql.lit(',\n');
const newLine = sql.lit('\n');

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
