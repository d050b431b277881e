import type { Database } from '../database/client.ts';
import { costlyReadsOf } from '../database/queue.ts';
import { boundedCache, keptStatements, slot, type Slot } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import { type Condition, inSql, isAdmin, type Viewer, type ViewerInSql } from './access.ts';
import type { Filter } from './list/filter.ts';
import {
  type Counted,
  type FoundPage,
  type ListRows,
  listStatement,
  type Page,
  pageOf,
} from './list/page.ts';
import { type ListPlan, operandsIn, parseList, shapeOfPlan } from './list/plan.ts';
import type { Path, Resource } from './resource.ts';
import { refusal, tooMany } from './problem.ts';

export interface ListRequest {
  readonly viewer: Viewer | null;
  /** As it stands in the URL behind the `?`. */
  readonly query: string;
  /** Whose time a list takes that takes long, by their address; without it, nobody's. */
  readonly client?: (() => string) | undefined;
}

/** What the rows of a list may depend on. */
export interface ListScope {
  readonly viewer: ViewerInSql | null;
  readonly deleted: ListPlan['deleted'];
  /** The values of the resource's own parameters that the request has. */
  readonly parameters: { readonly [name: string]: Slot<string> | undefined };
  /** Whether the client has said an order: an `orderBy` of the rows' own would come before it. */
  readonly isOrdered: boolean;
}

/**
 * A list of the rows that `rows` selects, for everything that a client may ask for of it: filters, order, page and
 * fields. `rows` is called once for each role and shape of a request, never with what one viewer alone has.
 */
export function defineList<Joined extends keyof Tables>(
  resource: Resource,
  rows: (database: Database, scope: ListScope) => ListRows<Joined>,
) {
  const planOf = boundedCache<Planned>(500);
  const run = keptStatements<FoundPage>();
  const totals = totalMemory();
  const readWithin = readWithinBudget();

  /** The page as it is sent: text that the database has made, which nothing on the way reads or writes again. */
  return async (database: Database, { viewer, query, client }: ListRequest): Promise<Page> => {
    refuse(resource.policy.list, viewer);
    const asking = inSql(viewer);
    const { plan, shape, operands, perRow } = planOf(`${viewer?.role} ${query}`, () =>
      planned(resource, query, asking),
    );
    if (plan.deleted !== 'without' && !isAdmin(viewer)) throw refusal(viewer);

    const { offset, parameters } = plan;
    const write = () => listStatement(rows(database, scopeOf(plan, asking)), plan, asking);
    const key = `${viewer?.id} ${query}`;
    return readWithin(database, { plan, perRow, key, client }, async (reader) => {
      const known = totals.recall(reader, key);
      const bindings = { viewer, operands, parameters, offset, known };
      const [found] = await run(reader, `${viewer?.role} ${shape}`, write, bindings);
      if (found === undefined) throw new Error('A list statement answers one row');
      totals.keep(reader, key, found);
      return pageOf(plan, found);
    });
  };
}

function scopeOf(
  { deleted, parameters, isOrdered }: ListPlan,
  viewer: ViewerInSql | null,
): ListScope {
  const names = Object.keys(parameters);
  const slots = names.map((name) => [name, slot<string>((all) => all.parameters?.[name])] as const);
  return { viewer, deleted, isOrdered, parameters: Object.fromEntries(slots) };
}

type Planned = ReturnType<typeof planned>;

function planned(resource: Resource, query: string, viewer: ViewerInSql | null) {
  const plan = parseList({ resource, viewer }, query);
  const [shape, operands] = [shapeOfPlan(plan), operandsIn(plan)];
  return { plan, shape, operands, perRow: costOfRow(plan) };
}

/** Throws for a viewer whom a rule admits to no row at all: 401 to nobody, 403 to somebody. */
export function refuse(rule: (viewer: ViewerInSql | null) => Condition, viewer: Viewer | null) {
  if (rule(inSql(viewer)) === false) throw refusal(viewer);
}

const mostTotals = 500;

/** The totals that a reader knows; a transaction sees its own changes, of which the version says nothing. */
function totalMemory() {
  const totals = new WeakMap<Database, Map<string, Counted>>();
  return {
    recall: (database: Database, key: string): Counted | undefined =>
      totals.get(database)?.get(key),
    keep(database: Database, key: string, { version: at, total }: Counted): void {
      if (at === null || database.isTransaction) return;
      const known = totals.get(database) ?? new Map<string, Counted>();
      totals.set(database, known);
      if (known.size >= mostTotals) known.clear();
      known.set(key, { version: at, total });
    },
  };
}

/** Comparisons that hold up nobody: some 30 ms of them. */
const cheap = 20_000;

/** What was read in so many milliseconds holds up nobody when it is read again so soon. */
const [quick, soon] = [5, 10_000];
const mostQuick = 1000;

interface Reading {
  readonly plan: ListPlan;
  /** What each row is asked, as `costOfRow` has it. */
  readonly perRow: number;
  /** Names the request and who it is from. */
  readonly key: string;
  readonly client: ListRequest['client'];
}

/** A list that may take long is read apart from the others, for as long as its client has time left there. */
function readWithinBudget() {
  const quickUntil = new Map<string, number>();

  const timed = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await work();
    const end = performance.now();
    if (quickUntil.size === mostQuick) quickUntil.clear();
    if (end - start <= quick) quickUntil.set(key, end + soon);
    return result;
  };

  return async <Result>(
    database: Database,
    { plan, perRow, key, client }: Reading,
    read: (reader: Database) => Promise<Result>,
  ): Promise<Result> => {
    const apart = costlyReadsOf(database);
    if (apart === undefined || (perRow === 0 && plan.offset < cheap)) return read(database);
    if (performance.now() < (quickUntil.get(key) ?? 0)) return read(database);
    const rows = await apart.countRows(plan.resource.table);
    const cost = rows * perRow + Math.min(rows, plan.offset);
    if (cost <= cheap) return read(database);
    return withBudget(client?.(), () => apart.read((reader) => timed(key, () => read(reader))));
  };
}

/** Milliseconds of costly reads that one client has in a window. */
const [budget, window] = [20_000, 60_000];
const spending = new Map<string, { readonly until: number; spent: number }>();

async function withBudget<Result>(
  client: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (client === undefined) return work();
  const start = performance.now();
  const account = accountOf(client, start);
  if (account.spent > budget) throw tooMany(Math.ceil((account.until - start) / 1000));
  try {
    return await work();
  } finally {
    account.spent += performance.now() - start;
  }
}

function accountOf(client: string, now: number) {
  const known = spending.get(client);
  if (known !== undefined && known.until > now) return known;
  for (const [name, { until }] of spending) if (until <= now) spending.delete(name);
  const account = { until: now + window, spent: 0 };
  spending.set(client, account);
  return account;
}

/** What each row is asked, if no index helps. */
function costOfRow({ filters, order, parameters, resource }: ListPlan): number {
  const keys = order.filter(({ path }) => path.text !== 'id');
  const isUsual = keys.map(({ path }) => path.text).join() === resource.orderBy.replaceAll('-', '');
  const sorting = isUsual ? 0 : keys.reduce((sum, { path }) => sum + costOfPath(path), 0);
  const own = 4 * Object.keys(parameters).length;
  return filters.reduce((sum, filter) => sum + costOfFilter(filter), sorting + own);
}

function costOfFilter(filter: Filter): number {
  const parts = 'any' in filter ? filter.any : 'all' in filter ? filter.all : undefined;
  if (parts !== undefined) return parts.reduce((sum, part) => sum + costOfFilter(part), 0);
  return 'path' in filter ? costOfPath(filter.path) : 0;
}

/** Every relation leads to more rows, or to a look into another table, and so does what is computed. */
function costOfPath({ steps, field }: Path): number {
  return 4 ** (steps.length + (field.computed === undefined ? 0 : 1));
}
