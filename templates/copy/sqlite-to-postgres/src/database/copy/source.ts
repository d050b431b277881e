import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DatabaseSync, SqliteValue } from '../driver.ts';
import { MigrationError } from '../migrate.ts';

/** A SQLite file as it was when it was opened, whatever is written to it meanwhile. */
export interface Source {
  /** The columns of each table, but for those of the migrations and the totals. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  batches(table: string, choice: Choice): Iterable<readonly (readonly SqliteValue[])[]>;
  /** The highest id that was ever given out. */
  lastId(table: string): bigint;
  close(): void;
}

interface Choice {
  readonly columns: readonly string[];
  /** Rows in a batch. */
  readonly size: number;
}

export async function openSource(url: string): Promise<Source> {
  const file = url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '');
  if (!existsSync(file)) {
    throw new MigrationError(`There is no file ${file}: name it by \`--from file:./path.db\`.`);
  }
  const connection = await openFile(file);
  const names = (sql: string, ...values: string[]) =>
    connection
      .prepare<{ name: string }>(sql)
      .all(...values)
      .map(({ name }) => name);
  const tables = names(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not in ('schema_migrations', 'row_counts') order by name`,
  );
  return {
    tables: new Map(
      tables.map((table) => [table, names('select name from pragma_table_info(?)', table)]),
    ),
    *batches(table, { columns, size }) {
      refuseNul(connection, table, columns);
      const list = columns.map(quoted).join(', ');
      const select = connection.prepare<SqliteValue[]>(`select ${list} from ${quoted(table)}`);
      select.setReturnArrays(true);
      select.setReadBigInts(true);
      let batch: SqliteValue[][] = [];
      for (const row of select.iterate()) {
        batch.push(row);
        if (batch.length < size) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    lastId(table) {
      const last = connection.prepare<{ seq: bigint }>(
        'select seq from sqlite_sequence where name = ?',
      );
      last.setReadBigInts(true);
      return last.get(table)?.seq ?? 0n;
    },
    close: () => void connection.close(),
  };
}

async function openFile(file: string): Promise<DatabaseSync> {
  try {
    // Loaded here, because it throws if there is no SQLite, and says what to do.
    const { DatabaseSync } = await import('../driver.ts');
    const connection = new DatabaseSync(file, { readOnly: true });
    connection.exec('begin; select 1 from sqlite_master');
    return connection;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`Nothing was copied. ${file} cannot be read: ${reason}`, { cause });
  }
}

/** PostgreSQL does not have the character, and Node.js before 24 reads a text up to it and no further. */
function refuseNul(connection: DatabaseSync, table: string, columns: readonly string[]): void {
  const [first = '', ...others] = columns.map(quoted);
  const hasNul = [first, ...others].map(
    (it) => `(typeof(${it}) = 'text' and instr(${it}, char(0)))`,
  );
  const row = connection
    .prepare<{ key: SqliteValue }>(
      `select ${first} as key from ${quoted(table)} where ${hasNul.join(' or ')} limit 1`,
    )
    .get();
  if (row === undefined) return;
  throw new MigrationError(
    `PostgreSQL does not take the row of ${table} with ${columns[0]} ${row.key}: a text in it has the character U+0000. Nothing was copied.`,
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
