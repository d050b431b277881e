import { inOrder } from './in-order.ts';
import type { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';

/** All that a SQLite schema holds, except the order of columns and listed values, and the names of checks and foreign keys. */
export function introspectSqlite(connection: DatabaseSync) {
  const all = (sql: string, ...values: string[]) =>
    connection.prepare<Record<string, unknown>>(sql).all(...values);
  const tables = all(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return tables.map(({ name, sql }) => {
    const table = String(name);
    const text = String(sql);
    return {
      table,
      strict: /\)\s*STRICT$/.test(text),
      counted: text.includes('AUTOINCREMENT'),
      columns: sorted(
        all('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)', table),
      ),
      checks: checksOf(text).map(inOrder).toSorted(),
      references: sorted(
        all(
          'SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?)',
          table,
        ),
      ),
      indexes: sorted(
        all(
          `SELECT name, sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL AND type <> 'table'`,
          table,
        ).map((it) => ({ name: it['name'], sql: unquoted(String(it['sql'])) })),
      ),
    };
  });
}

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** The text between the brackets of each `CHECK (…)`. */
function checksOf(sql: string): readonly string[] {
  const checks: string[] = [];
  for (const match of sql.matchAll(/CHECK \(/g)) {
    const start = match.index + match[0].length;
    checks.push(unquoted(sql.slice(start, closing(sql, start))));
  }
  return checks;
}

function closing(sql: string, start: number): number {
  let depth = 1;
  let quote = '';
  for (let at = start; at < sql.length; at += 1) {
    const character = sql.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')' && --depth === 0) return at;
  }
  return sql.length;
}

/** SQLite quotes a name when it renames it. */
function unquoted(sql: string): string {
  return sql.replace(
    /'(?:[^']|'')*'|"([^"]*)"/g,
    (whole, name: string | undefined) => name ?? whole,
  );
}
