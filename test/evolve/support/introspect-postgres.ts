import type { Client } from 'pg';
import { inOrder } from './in-order.ts';

/** All that a PostgreSQL schema holds, except the order of columns and of values that a check lists, and the names of primary keys. */
export async function introspectPostgres(client: Client, schema: string): Promise<unknown> {
  const texts = async (sql: string) => {
    const { rows } = await client.query<{ text: string }>(sql, [schema]);
    return rows.map(({ text }) => inOrder(text.replaceAll(`${schema}.`, ''))).toSorted();
  };
  return {
    columns: await texts(`
      SELECT concat_ws(' ', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation,
        a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) AS text
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = $1::text::regnamespace AND c.relkind = 'r'`),
    constraints: await texts(`
      SELECT concat_ws(' ', conrelid::regclass, CASE contype WHEN 'p' THEN '' ELSE conname END,
        pg_get_constraintdef(oid), convalidated) AS text
      FROM pg_constraint WHERE connamespace = $1::text::regnamespace AND contype IN ('c', 'f', 'p', 'u')`),
    indexes: await texts(`
      SELECT pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid AS text
      FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE c.relnamespace = $1::text::regnamespace AND NOT i.indisprimary`),
    triggers: await texts(`
      SELECT pg_get_triggerdef(t.oid) AS text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
      WHERE c.relnamespace = $1::text::regnamespace AND NOT tgisinternal`),
    types: await texts(`
      SELECT typname || ' ' || string_agg(quote_literal(enumlabel), ' ' ORDER BY enumsortorder) AS text
      FROM pg_type AS t JOIN pg_enum ON enumtypid = t.oid
      WHERE typnamespace = $1::text::regnamespace GROUP BY typname`),
    functions: await texts(`
      SELECT proname || prosrc AS text FROM pg_proc WHERE pronamespace = $1::text::regnamespace`),
  };
}
