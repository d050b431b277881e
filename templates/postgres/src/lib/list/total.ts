import { sql } from 'kysely';
import type { Sql } from '../sql/source.ts';

export interface Counted {
  readonly total: number | string | null;
}

export function countedOnce(total: Sql): Sql {
  return sql`${total} as total`;
}

/** PostgreSQL says nothing of whether a table has changed, so every list counts. */
export function totalMemory() {
  return {
    recall: (_database: unknown, _key: string): undefined => undefined,
    keep(_database: unknown, _key: string, _counted: Counted): void {},
  };
}
