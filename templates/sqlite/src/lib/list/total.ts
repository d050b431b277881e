import { sql } from 'kysely';
import type { Database } from '../../database/client.ts';
import { slot } from '../../database/slot.ts';
import type { Sql } from '../sql/source.ts';

/** A total, and the version of the database in which it was counted. */
export interface Counted {
  readonly version: number | null;
  readonly total: number | string | null;
}

const knownVersion = slot<number>(({ known }) => known?.version ?? -1);
const knownTotal = slot<number>(({ known }) => known?.total ?? null);
/** Changes whenever another connection has written; the one that reads never does. */
const version = sql`(select data_version from pragma_data_version)`;

/**
 * Counting can take longer than the page itself, so a total is kept for as long as the database has the version in
 * which it was counted.
 */
export function countedOnce(total: Sql): Sql {
  return sql`${version} as version, case when ${version} = ${knownVersion} then ${knownTotal} else ${total} end as total`;
}

const mostTotals = 500;

/** The totals that a reader knows; a transaction sees its own changes, of which the version says nothing. */
export function totalMemory() {
  const totals = new WeakMap<Database, Map<string, Counted>>();
  return {
    recall: (database: Database, key: string): Counted | undefined =>
      totals.get(database)?.get(key),
    keep(database: Database, key: string, { version: at, total }: Counted): void {
      if (database.isTransaction) return;
      const known = totals.get(database) ?? new Map<string, Counted>();
      totals.set(database, known);
      if (known.size >= mostTotals) known.clear();
      known.set(key, { version: at, total });
    },
  };
}
