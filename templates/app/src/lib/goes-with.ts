import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import type { Going } from './memberships.ts';
import { fieldOf, type Id } from './resource.ts';
import { column, from, owners, source, where } from './sql.ts';

/** Whether a tenant is deleted with the row, directly or through other rows whose keys cascade, or is gone already. */
export async function goesWith(
  open: Database,
  id: Id,
  { tenant, ...going }: Going,
): Promise<boolean> {
  if (tenant === undefined) return false;
  const found = [{ resource: tenant(), id }];
  for (const { resource, id: at } of found) {
    if (resource === going.resource && at === going.id) return true;
    const rows = source(resource);
    const keys = owners(resource);
    const columns = ['id', ...keys.map(({ key }) => key)].map((name) => column(rows, name));
    const isRow = where([sql`${column(rows, 'id')} = ${at}`]);
    const select = sql<Held>`select ${sql.join(columns)} from ${from(rows)}${isRow}`;
    const [row] = (await select.execute(open)).rows;
    if (row === undefined) return true;
    for (const { to, key } of keys) {
      const above = row[fieldOf(resource, key).column ?? key] ?? null;
      const isFound = found.some((it) => it.resource === to() && it.id === above);
      if (above !== null && !isFound) found.push({ resource: to(), id: above });
    }
  }
  return false;
}

type Held = Readonly<Record<string, Id | null>>;
