import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { boundedCache } from '../database/cache.ts';
import { keptStatements, slot, type Slot } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import {
  admittedBy,
  type Condition,
  inSql,
  isAdmin,
  refuse,
  type Viewer,
  type ViewerInSql,
} from './access.ts';
import { type FoundPage, listStatement, type Page, pageOf } from './list/page.ts';
import { type ListPlan, parseList } from './list/plan.ts';
import type { Resource } from './resource.ts';
import { refusal } from './problem.ts';
import { admitted, alive, all, column, type Sql, source } from './sql.ts';
import { rowsOf, type TableRows } from './table-rows.ts';

export interface Asking {
  readonly viewer: Viewer | null;
  /** Whose reads it waits behind. */
  readonly client?: string | undefined;
}

export interface ListRequest extends Asking {
  /** As it stands in the URL behind the `?`. */
  readonly query: string;
}

/** What the rows of a list may depend on. */
export interface ListScope {
  readonly viewer: ViewerInSql | null;
  /** The values of the resource's own parameters that the request has. */
  readonly parameters: { readonly [name: string]: Slot<string> | undefined };
  /** Whether the client has said an order: an `orderBy` of the rows' own would come before it. */
  readonly isOrdered: boolean;
}

interface ListOptions<Table extends keyof Tables, Joined extends keyof Tables> {
  /** What else holds of the rows, what is joined to them, or an order of their own. */
  readonly rows?: (rows: TableRows<Table>, scope: ListScope) => TableRows<Joined>;
}

/**
 * A list of the rows that the policy admits a viewer to and that are not deleted, for everything that a client may ask
 * for of it: filters, order, page and fields. `rows` narrows it down: `(rows) => rows.where('posts.status', '=',
 * 'published')`; it is called once or twice for each role and shape of a request, never with what one viewer alone
 * has.
 */
export function defineList<Table extends keyof Tables, Joined extends keyof Tables = Table>(
  resource: Resource & { readonly table: Table },
  { rows }: ListOptions<Table, Joined> = {},
) {
  const plans = boundedCache<ListPlan>(mostCharacters, () => 0);
  const run = keptStatements<FoundPage>();

  /** The page as it is sent: text that the database has made, which nothing on the way reads or writes again. */
  return async (database: Database, { viewer, client, query }: ListRequest): Promise<Page> => {
    refuse(resource.policy.list, viewer);
    const asking = inSql(viewer);
    const parse = () => parseList({ resource, viewer: asking }, query);
    const plan = plans(`${viewer?.role} ${query}`, parse);
    if (plan.deleted === 'with' && !isAdmin(viewer)) throw refusal(viewer);
    if (plan.deleted === 'only') refuse(resource.policy.restore, viewer);

    const { operands, parameters, offset } = plan;
    const write = () => {
      const conditions = shownRows(plan, asking);
      const listed = (rule: Condition) => {
        const seen = rowsOf(database, resource.table).$call(admittedBy(rule));
        return conditions.length === 0 ? seen : seen.where(all(conditions));
      };
      const rule = resource.policy.list(asking);
      // All rows are seen where nothing but whether they are deleted is asked of them.
      const own = resource.softDelete === undefined || plan.deleted === 'with' ? 0 : 1;
      const isWhole = !rows && rule === true && conditions.length === own;
      const how = { viewer: asking, rule, isWhole };
      if (rows === undefined) return listStatement(listed, plan, how);
      const scope = scopeOf(plan, asking);
      return listStatement((is) => rows(listed(is), scope), plan, how);
    };
    const bindings = { client, viewer, operands, parameters, offset };
    const [found] = await run(database, plan.shape, write, bindings);
    if (found === undefined) throw new Error('A list statement answers one row');
    return pageOf(plan, found);
  };
}

/** Of the queries whose plans are kept. */
const mostCharacters = 200_000;

/** Those that are there, unless somebody asks for those that are not, who may bring them back. */
function shownRows({ resource, deleted }: ListPlan, viewer: ViewerInSql | null): readonly Sql[] {
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
