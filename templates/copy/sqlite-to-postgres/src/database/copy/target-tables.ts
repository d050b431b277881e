import type { Client } from 'pg';

export interface Table {
  readonly name: string;
  /** Its name as SQL reads it. */
  readonly sql: string;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  readonly sql: string;
  /** As PostgreSQL spells it: `numeric(12,2)`. */
  readonly type: string;
  /** Whether the database counts it up. */
  readonly isCounted: boolean;
}

interface Row extends Column {
  readonly table: string;
  readonly table_sql: string;
}

/** Every table with its columns, but for those of the migrations, and the totals, which follow the rows. */
export async function listTables(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Row>(`
    select c.relname as "table", quote_ident(c.relname) as table_sql, a.attname as name,
      quote_ident(a.attname) as sql, format_type(a.atttypid, a.atttypmod) as type,
      a.attidentity <> '' as "isCounted"
    from pg_class as c
      join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = quote_ident(current_schema())::regnamespace
      and c.relname not in ('schema_migrations', 'schema_migration_steps', 'row_counts') and a.attgenerated = ''
    order by c.relname, a.attnum`);
  const names = [...new Set(rows.map(({ table }) => table))];
  return names.map((name) => {
    const columns = rows.filter(({ table }) => table === name);
    return { name, sql: columns[0]?.table_sql ?? name, columns };
  });
}
