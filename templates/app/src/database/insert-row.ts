import { sql } from 'kysely';
import { encode } from './dialect.ts';
import type { Database } from './client.ts';
import { type Id, newUuid } from '../lib/ids.ts';
import { fieldOf, type Resource } from '../lib/resource.ts';
import { readRow, setLinks } from '../lib/rows.ts';
import { system } from '../lib/access.ts';

/** For seeds and tests: any row of any model, with defaults for what it is not given, and nothing asked of a policy. */
export async function insertRow<Row>(
  database: Database,
  resource: Resource,
  { values }: { readonly values: object; readonly viewer?: unknown },
): Promise<Row> {
  const given = new Map<string, unknown>(Object.entries(values));
  const now = new Date().toISOString();
  const columns = new Map<string, unknown>();
  if (resource.id === 'uuid') columns.set('id', newUuid());
  for (const [name, field] of Object.entries(resource.fields)) {
    const preset = field.default;
    const filled =
      preset === 'now'
        ? field.type === 'date'
          ? now.slice(0, 10)
          : field.type === 'time'
            ? now.slice(11, 23)
            : now
        : preset === 'uuid'
          ? newUuid()
          : preset?.value;
    const value = given.get(name) ?? (given.has(name) ? null : filled);
    if (value !== undefined) columns.set(field.column ?? name, encode(value, field));
  }
  const names = [...columns.keys()].map((name) => sql.ref(name));
  const row = sql<{
    readonly id: Id;
  }>`insert into ${sql.table(resource.table)} (${sql.join(names)}) values (${sql.join([...columns.values()].map((value) => sql.val(value)))}) returning ${sql.ref(fieldOf(resource, 'id').column ?? 'id')} as id`;
  const [made] = (await row.execute(database)).rows;
  if (made === undefined) throw new Error('A row without an id');
  for (const relation of Object.values(resource.relations)) {
    const ids = relation.kind === 'links' ? given.get(relation.ids ?? '') : undefined;
    if (relation.kind === 'links' && Array.isArray(ids))
      await setLinks(database, relation, { id: made.id, ids });
  }
  return readRow<Row>(database, resource, { viewer: system, id: made.id });
}

import { defineList, type Listing, type ListRequest } from '../lib/list.ts';
import type { RowRequest } from '../lib/rows.ts';
export async function listRows<Row>(
  database: Database,
  resource: Resource,
  request: ListRequest,
): Promise<Listing<Row>> {
  const list = defineList(resource, (db) => db.selectFrom(resource.table));
  return JSON.parse((await list(database, request)).body);
}
export async function findRow<Row>(
  database: Database,
  resource: Resource,
  request: RowRequest,
): Promise<Row | undefined> {
  return readRow<Row>(database, resource, request).catch(() => undefined);
}
