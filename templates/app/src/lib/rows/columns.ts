import type { Database } from '../../database/client.ts';
import { encode } from '../dialect.ts';
import type { Id } from '../ids.ts';
import { fieldOf, type Resource } from '../resource.ts';
import { column, from, source, type Source } from '../sql/conditions.ts';
import { execute } from '../sql/execute.ts';
import { bound, joined, name, raw, sql, type Sql, where } from '../sql/sql.ts';
import { columnsIn, type RowValues } from './values.ts';

/** Answers the id of the new row. */
export async function insertColumns(
  database: Database,
  resource: Resource,
  values: RowValues,
): Promise<Id> {
  const columns = columnsIn(resource, values);
  const names = columns.map(([field]) => columnName(resource, field));
  const given = columns.map(([field, value]) => encoded(resource, field, value));
  const row =
    columns.length === 0
      ? raw('default values')
      : sql`(${joined(names, ', ')}) values (${joined(given, ', ')})`;
  const id = columnName(resource, 'id');
  const [inserted] = await execute(
    database,
    sql`insert into ${name(resource.table)} ${row} returning ${id} as id`,
  );
  const key = inserted?.['id'];
  if (typeof key !== 'number' && typeof key !== 'string') throw new Error('A row without an id');
  return key;
}

export async function updateColumns(
  database: Database,
  { resource, id }: { readonly resource: Resource; readonly id: Id },
  values: RowValues,
): Promise<void> {
  const changes = columnsIn(resource, values).map(
    ([field, value]) => sql`${columnName(resource, field)} = ${encoded(resource, field, value)}`,
  );
  if (changes.length === 0) return;
  const rows = source(resource);
  const set = joined(changes, ', ');
  await execute(database, sql`update ${from(rows)} set ${set}${where([hasId(rows, id)])}`);
}

/** A row of a model with soft deletion stays, marked. */
export async function removeRow(database: Database, resource: Resource, id: Id): Promise<void> {
  if (resource.softDelete) {
    await updateColumns(database, { resource, id }, { deleted_at: new Date().toISOString() });
    return;
  }
  const rows = source(resource);
  await execute(database, sql`delete from ${from(rows)}${where([hasId(rows, id)])}`);
}

export function hasId(rows: Source, id: Id): Sql {
  return sql`${column(rows, 'id')} = ${encoded(rows.resource, 'id', id)}`;
}

function columnName(resource: Resource, field: string): Sql {
  return name(fieldOf(resource, field).column ?? field);
}

function encoded(resource: Resource, field: string, value: unknown): Sql {
  return bound(encode(value, fieldOf(resource, field)));
}
