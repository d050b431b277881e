import type { Client } from 'pg';
import { MigrationError } from '../history.ts';

/** A part of a table that is silently dropped with one of its columns. */
interface Part {
  /** `index posts_own` */
  readonly object: string;
  readonly name: string;
  readonly table: number;
}

/** Lists the parts of tables before a step. `refuse` throws if the step has dropped some that it does not name. */
export async function watchParts(client: Client, sql: string) {
  const before = await readParts(client);
  return {
    async refuse(): Promise<void> {
      const after = new Set((await readParts(client)).map(({ object }) => object));
      const gone = before.filter(({ object, name }) => !after.has(object) && !isNamed(name, sql));
      const tables = await readTables(client);
      const lost = gone.filter(({ table }) => tables.has(table)).map(({ object }) => object);
      if (lost.length === 0) return;
      throw new MigrationError(
        `It would also drop what you made in the database: ${lost.join(', ')}. Drop that first, or in up.sql, where you can then create it again in its new form.`,
      );
    },
  };
}

function isNamed(name: string, sql: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(sql);
}

async function readParts(client: Client): Promise<readonly Part[]> {
  const { rows } = await client.query<Part>(`
    with tables as (
      select oid, relname as place from pg_class
      where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
    )
    select 'index ' || relname as object, relname as name, tables.oid as table
    from tables join pg_index on indrelid = tables.oid join pg_class on pg_class.oid = indexrelid
    union all
    select 'constraint ' || conname || ' of ' || place, conname, tables.oid
    from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'f', 'u', 'x')
    union all
    select 'statistics ' || stxname, stxname, tables.oid
    from tables join pg_statistic_ext on stxrelid = tables.oid
  `);
  return rows;
}

async function readTables(client: Client): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ oid: number }>(
    `select oid from pg_class where relkind in ('r', 'p')`,
  );
  return new Set(rows.map(({ oid }) => oid));
}
