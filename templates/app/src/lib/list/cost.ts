import type { Database } from '../../database/client.ts';
import { costlyReadsOf } from '../../database/costly-reads.ts';
import { tooMany } from '../problem.ts';
import type { ListRequest } from '../list.ts';
import type { Path } from '../path.ts';
import type { Filter } from './filter.ts';
import type { ListPlan } from './plan.ts';

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
export function readWithinBudget() {
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
export function costOfRow({ filters, order, parameters, resource }: ListPlan): number {
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
