import { DatabaseError, type Client } from 'pg';
import { MigrationError } from '../migrate.ts';
import { passageOf } from './passages.ts';
import type { Table } from './target-tables.ts';

type Values = readonly (readonly (string | Buffer | null)[])[];

/** Lets keys wait until all rows are there. Returns what takes that back. */
export async function looseKeys(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ key: string }>(`
    select format('alter table %s alter constraint %I', conrelid::regclass, conname) as key
    from pg_constraint
    where contype = 'f' and connamespace = quote_ident(current_schema())::regnamespace and not condeferrable`);
  for (const { key } of rows) await client.query(`${key} deferrable initially deferred`);
  return rows.map(({ key }) => `${key} not deferrable`);
}

/** Throws when a key leads nowhere. */
export async function checkKeys(keys: readonly string[], client: Client): Promise<void> {
  await orRefuse('A key leads nowhere', () => client.query('set constraints all immediate'));
  for (const key of keys) await client.query(key);
}

/** One of them that is refused is looked for, and named. */
export async function insertRows(table: Table, rows: Values, client: Client): Promise<void> {
  await client.query('savepoint batch');
  try {
    await insert(table, rows, client);
  } catch (error) {
    await client.query('rollback to batch');
    for (const row of rows) {
      const name = `the row of ${table.name} with ${table.columns[0]?.name} ${row[0]}`;
      await orRefuse(`PostgreSQL does not take ${name}`, () => insert(table, [row], client));
    }
    throw error;
  }
  await client.query('release batch');
}

async function insert(table: Table, rows: Values, client: Client): Promise<void> {
  const columns = table.columns.map(({ sql }) => sql).join(', ');
  const places = rows.map((row, index) => {
    const first = index * row.length + 1;
    return `(${row.map((_, at) => `$${first + at}`).join(', ')})`;
  });
  const text = `insert into ${table.sql} (${columns}) values ${places.join(', ')}`;
  await client.query(text, rows.flat());
}

/** Ids that were given out once, to rows that are gone, are not given out again. */
export async function continueIds(table: string, last: bigint, client: Client): Promise<void> {
  if (last === 0n) return;
  await client.query(`select setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)`, [
    table,
    String(last),
  ]);
}

/** Every row, each value as the text that SQLite would hold. */
export async function* readBack(table: Table, client: Client) {
  const values = table.columns.map((column) => passageOf(column).back(column.sql));
  await client.query(
    `declare copied no scroll cursor for select ${values.join(', ') || '1'} from ${table.sql}`,
  );
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: 'fetch 1000 from copied',
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close copied');
}

async function orRefuse(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new MigrationError(`${what}: ${reasonOf(cause)}. Nothing was copied.`, { cause });
  }
}

/** The detail names the value. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail = error instanceof DatabaseError ? error.detail : undefined;
  return [error.message, ...(detail === undefined ? [] : [detail.replace(/\.$/, '')])].join('. ');
}
