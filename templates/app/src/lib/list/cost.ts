import type { Database } from '../../database/client.ts';
import { costlyReadsOf } from '../../database/costly-reads.ts';
import type { Filter } from './filter.ts';
import type { ListPlan } from './plan.ts';

/** Comparisons that hold up nobody: some 30 ms of them. */
const cheap = 20_000;

/** A list that may take long is read apart. */
export async function readerFor(database: Database, plan: ListPlan): Promise<Database> {
  const apart = costlyReadsOf(database);
  const perRow = costOfRow(plan);
  if (apart === undefined || (perRow === 0 && plan.offset < cheap)) return database;
  const rows = await apart.countRows(plan.resource.table);
  return rows * perRow + Math.min(rows, plan.offset) > cheap ? apart.reader : database;
}

/** What each row is asked, if no index helps. */
function costOfRow({ filters, order, resource }: ListPlan): number {
  const keys = order.filter(({ path }) => path.text !== 'id');
  const isUsual = keys.map(({ path }) => path.text).join() === resource.orderBy.replaceAll('-', '');
  const sorting = isUsual ? 0 : keys.reduce((sum, { path }) => sum + costOfPath(path.steps), 0);
  return filters.reduce((sum, filter) => sum + costOfFilter(filter), sorting);
}

function costOfFilter(filter: Filter): number {
  const parts = 'any' in filter ? filter.any : 'all' in filter ? filter.all : undefined;
  if (parts !== undefined) return parts.reduce((sum, part) => sum + costOfFilter(part), 0);
  return 'path' in filter ? costOfPath(filter.path.steps) : 0;
}

/** Every relation leads to more rows, or to a look into another table. */
function costOfPath(steps: readonly unknown[]): number {
  return 4 ** steps.length;
}
