import { sql } from 'kysely';
import { system } from '../lib/access.ts';
import { type Id, newUuid } from '../lib/ids.ts';
import { defineList, type Listing, type ListRequest } from '../lib/list.ts';
import { type Field, fieldOf, type Resource } from '../lib/resource.ts';
import { readRow, setLinks } from '../lib/rows.ts';
import type { Database } from './client.ts';
import { encode } from './dialect.ts';

/** For seeds: a row of any model, with defaults for what it is not given. No policy is asked. */
export async function insertRow<Row>(
  database: Database,
  resource: Resource,
  values: object,
): Promise<Row> {
  const given = new Map<string, unknown>(Object.entries(values));
  const columns = columnsOf(resource, given);
  const names = columns.map(([name]) => sql.ref(name));
  const encoded = columns.map(([, value]) => sql.val(value));
  const id = sql.ref(fieldOf(resource, 'id').column ?? 'id');
  const { rows } = await sql<{
    readonly id: Id;
  }>`insert into ${sql.table(resource.table)} (${sql.join(names)}) values (${sql.join(encoded)}) returning ${id} as id`.execute(
    database,
  );
  const [made] = rows;
  if (made === undefined) throw new Error('A row without an id');
  for (const relation of Object.values(resource.relations)) {
    const ids = relation.kind === 'links' ? given.get(relation.ids ?? '') : undefined;
    if (relation.kind !== 'links' || !Array.isArray(ids)) continue;
    await setLinks(database, relation, { id: made.id, ids });
  }
  return readRow<Row>(database, resource, { viewer: system, id: made.id });
}

/** Every row of a model, page by page, deleted ones aside or not. */
export async function listRows<Row>(
  database: Database,
  resource: Resource,
  request: ListRequest,
): Promise<Listing<Row>> {
  const list = defineList(resource, (reader) => reader.selectFrom(resource.table));
  return JSON.parse((await list(database, request)).body);
}

type Column = readonly [name: string, value: unknown];

function columnsOf(
  { id, fields }: Resource,
  given: ReadonlyMap<string, unknown>,
): readonly Column[] {
  const now = new Date().toISOString();
  const key: readonly Column[] = id === 'uuid' && !given.has('id') ? [['id', newUuid()]] : [];
  const columns = Object.entries(fields).flatMap(([name, field]): Column[] => {
    const value = given.has(name) ? given.get(name) : defaultOf(field, now);
    return value === undefined ? [] : [[field.column ?? name, encode(value, field)]];
  });
  return [...key, ...columns];
}

function defaultOf({ type, default: preset }: Field, now: string): unknown {
  if (preset === 'uuid') return newUuid();
  if (preset !== 'now') return preset?.value;
  if (type === 'date') return now.slice(0, 10);
  return type === 'time' ? now.slice(11, 23) : now;
}
