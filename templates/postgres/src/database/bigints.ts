import { type PoolClient, type QueryResult, types } from 'pg';
import { columnTypes } from './tables.ts';

/** Ids and fields of the type `bigint` are one type to PostgreSQL; these are text in the API. */
export async function decodeBigints(
  client: PoolClient,
  { rows, fields }: QueryResult,
): Promise<void> {
  for (const { name, dataTypeID, tableID, columnID } of fields) {
    if (dataTypeID !== types.builtins.INT8 || tableID === 0) continue;
    if (!(await bigintsOf(client, tableID)).has(columnID)) continue;
    for (const row of rows) if (row[name] !== null) row[name] = String(row[name]);
  }
}

const isBigint = (table: string, column: string) => columnTypes[table]?.[column]?.type === 'bigint';

/** The numbers of such columns, by the number of their table, which changes when a table is made again. */
const bigints = new Map<number, ReadonlySet<number>>();

async function bigintsOf(client: PoolClient, table: number): Promise<ReadonlySet<number>> {
  const known = bigints.get(table);
  if (known !== undefined) return known;
  const { rows } = await client.query<{ relname: string; attname: string; attnum: number }>(
    'select relname, attname, attnum from pg_attribute join pg_class on pg_class.oid = attrelid where attrelid = $1',
    [table],
  );
  const found = rows.filter(({ relname, attname }) => isBigint(relname, attname));
  const columns = new Set(found.map(({ attnum }) => attnum));
  bigints.set(table, columns);
  return columns;
}
