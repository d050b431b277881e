import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { MigrationError } from '../migrations/error.ts';

export type SqliteValue = bigint | number | string | Buffer | null;

/** A SQLite file as it was when it was opened, whatever is written to it meanwhile. */
export interface Source {
  /** The columns of each table, but for those of the migrations. */
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

export function openSource(url: string): Source {
  const file = url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '');
  if (!existsSync(file)) {
    throw new MigrationError(`There is no file ${file}: name it by \`--from file:./path.db\`.`);
  }
  const connection = openFile(file);
  const names = (sql: string, ...values: string[]) =>
    connection
      .prepare<string[], string>(sql)
      .pluck()
      .all(...values);
  const tables = names(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations' order by name`,
  );
  return {
    tables: new Map(
      tables.map((table) => [table, names('select name from pragma_table_info(?)', table)]),
    ),
    *batches(table, { columns, size }) {
      const list = columns.map(quoted).join(', ');
      const select = connection.prepare<[], SqliteValue[]>(`select ${list} from ${quoted(table)}`);
      let batch: SqliteValue[][] = [];
      for (const row of select.raw().iterate()) {
        batch.push(row);
        if (batch.length < size) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    lastId(table) {
      const last = connection
        .prepare<[string], bigint>('select seq from sqlite_sequence where name = ?')
        .pluck();
      return last.get(table) ?? 0n;
    },
    close: () => void connection.close(),
  };
}

function openFile(file: string): Sqlite.Database {
  try {
    const connection = new Sqlite(file, { readonly: true });
    connection.defaultSafeIntegers();
    connection.exec('begin; select 1 from sqlite_master');
    return connection;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`${file} cannot be read: ${reason}. Nothing was copied.`, { cause });
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
