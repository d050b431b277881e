import type { Database } from '../../database/client.ts';
import { among, encode } from '../dialect.ts';
import { fieldOf, type Resource } from '../resource.ts';
import { column, from, source } from '../sql/conditions.ts';
import { execute } from '../sql/execute.ts';
import { bound, name, sql, type Sql } from '../sql/sql.ts';
import { linksIn, type RowValues } from './values.ts';

interface RowOf {
  readonly resource: Resource;
  readonly id: unknown;
}

/** Makes each set of links what the values say it is, and leaves those alone that are so already. */
export async function setLinks(
  database: Database,
  { resource, id }: RowOf,
  values: RowValues,
): Promise<void> {
  for (const { relation, ids } of linksIn(resource, values)) {
    const there = source(relation.to());
    const idField = fieldOf(there.resource, 'id');
    const here = bound(encode(id, fieldOf(resource, 'id')));
    const table = name(relation.table);
    const mine = name(relation.column);
    const other = name(relation.targetColumn);
    const wanted = (key: Sql) => among(key, ids, idField);
    await execute(
      database,
      sql`delete from ${table} where ${mine} = ${here} and not ${wanted(other)}`,
    );
    const theirs = column(there, 'id');
    await execute(
      database,
      sql`insert into ${table} (${mine}, ${other}) select ${here}, ${theirs} from ${from(there)} where ${wanted(theirs)} on conflict do nothing`,
    );
  }
}
