import { existsSync } from 'node:fs';
import {
  type Compilable,
  type CompiledQuery,
  type Driver,
  Kysely,
  type KyselyConfig,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Config } from '../config.ts';
import { columnValues } from './slot.ts';
import type { DatabaseSync } from './driver.ts';
import { databaseFile, makeFile, openFile } from './file.ts';
import { setCostlyReads } from './queue.ts';
import { openReader, openReaderProcesses, openWriter, statementCache } from './sqlite-driver.ts';
import type { Tables } from './tables.ts';

/** A transaction is one, too. */
export type Database = Kysely<Tables>;

export interface Connection {
  readonly database: Database;
  /** Reads only, and waits for nobody: of a transaction that is open it sees nothing. */
  readonly reader: Database;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opening a missing file would create it. */
export function hasDatabase(url: string): boolean {
  return existsSync(databaseFile(url));
}

/**
 * Opens `file:./var/app.db` twice: one connection writes, one, read-only, serves the reads that need no transaction.
 * In WAL mode neither waits for the other. The writer is closed last, which empties the write-ahead log.
 */
export function openConnection({
  databaseUrl,
  databaseLimits,
}: Pick<Config, 'databaseUrl' | 'databaseLimits'>): Connection {
  const file = databaseFile(databaseUrl);
  const timeout = databaseLimits.lockTimeoutMs;
  makeFile(file);
  const writer = openFile(file, { timeout });
  const reading = openFile(file, { timeout, readOnly: true });
  const database = databaseOn(openWriter(writer));
  const reader = new Reader(reading);
  const processes = openReaderProcesses({ file, timeoutMs: databaseLimits.statementTimeoutMs });
  setCostlyReads(reader, {
    reader: databaseOn(processes),
    workers: processes.workers,
    timeoutMs: databaseLimits.statementTimeoutMs,
    countRows: async (table) => countRows(reading, table),
  });
  return {
    database,
    reader,
    async ping() {
      reading.prepare('pragma schema_version').get();
    },
    async close() {
      await processes.stop();
      await reader.destroy();
      await database.destroy();
    },
  };
}

/** No table has more rows than its last row has a number: that is found at once. */
function countRows(reading: DatabaseSync, table: string): number {
  const name = table.replaceAll('"', '""');
  const found = reading
    .prepare<{ readonly rows: number | null }>(`select max(rowid) as rows from "${name}"`)
    .get();
  return found?.rows ?? 0;
}

function databaseOn(driver: Driver): Database {
  return new Kysely<Tables>(configOf(driver));
}

function configOf(driver: Driver): KyselyConfig {
  return {
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new Compiler(),
    },
    plugins: [columnValues],
  };
}

/** A statement that is compiled already is run at once: SQLite answers in place, so nobody has to wait for their turn. */
class Reader extends Kysely<Tables> {
  readonly #connection: DatabaseSync;
  readonly #statementOf: ReturnType<typeof statementCache>;

  constructor(connection: DatabaseSync) {
    super(configOf(openReader(connection)));
    this.#connection = connection;
    this.#statementOf = statementCache(connection);
  }

  override async executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
  ): Promise<QueryResult<Row>> {
    if ('compile' in query || this.#connection.isTransaction) return super.executeQuery(query);
    // Whoever wrote the statement knows what its rows are.
    const rows: Row[] = Object(this.#statementOf(query.sql).all(query.parameters));
    return { rows };
  }
}

class Compiler extends SqliteQueryCompiler {
  /** The `+` changes no value. After an `analyze`, SQLite plans a statement with a bare `?` in a comparison again for every value. */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}
