import type { Database } from '../database/client.ts';
import { boundedCache, keptStatements, slot, type Slot } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import { type Condition, inSql, isAdmin, type Viewer, type ViewerInSql } from './access.ts';
import { costOfRow, readWithinBudget } from './list/cost.ts';
import {
  type Counted,
  type FoundPage,
  type ListRows,
  listStatement,
} from './list/list-statement.ts';
import { type Page, pageOf } from './list/page.ts';
import { type ListPlan, operandsIn, parseList, shapeOfPlan } from './list/plan.ts';
import { refusal } from './problem.ts';
import type { Resource } from './resource.ts';

export interface ListRequest {
  readonly viewer: Viewer | null;
  /** As it stands in the URL behind the `?`. */
  readonly query: string;
  /** Whose time a list takes that takes long, by their address; without it, nobody's. */
  readonly client?: (() => string) | undefined;
}

/** A page for code. */
export interface Listing<Row> {
  readonly items: readonly Row[];
  readonly total: number | null;
  readonly total_estimated?: true;
  readonly limit: number;
  /** `null` behind a cursor. */
  readonly offset: number | null;
  readonly next_cursor?: string;
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

interface Planned {
  readonly plan: ListPlan;
  readonly shape: string;
  readonly operands: readonly unknown[];
  readonly perRow: number;
}

function planned(resource: Resource, query: string, viewer: ViewerInSql | null): Planned {
  const plan = parseList({ resource, viewer }, query);
  return {
    plan,
    shape: shapeOfPlan(plan),
    operands: operandsIn(plan),
    perRow: costOfRow(plan),
  };
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
