import {
  type CompiledQuery,
  type Driver,
  type KyselyConfig,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Config } from '../config.ts';
import { columnValues } from './column-values.ts';
import { databaseFile, openLater, withinTime } from './file.ts';
import { openReaders } from './readers.ts';
import { Reader, type RunStatement } from './reading.ts';
import { openWriter } from './sqlite-driver.ts';
import { statementRunner } from './statements.ts';
import type { Database } from './tables.ts';
import { timed } from './timed-selects.ts';
import { SafeKysely } from './safe-kysely.ts';

export type { Database };

export interface Connection {
  readonly database: Database;
  /** For reads only, each by itself: it sees nothing of an open transaction. */
  readonly reader: Database;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens `file:./var/app.db`: one connection writes, others, read-only, read. In WAL mode neither waits for the other. The
 * writer is closed last, which empties the write-ahead log.
 */
export function openConnection({
  databaseUrl,
  databaseLimits: { readers: count, statementTimeoutMs, lockTimeoutMs },
}: Pick<Config, 'databaseUrl' | 'databaseLimits'>): Connection {
  const file = databaseFile(databaseUrl);
  const writer = openLater(file, { timeout: lockTimeoutMs });
  const reading =
    count === 0
      ? readInPlace(openLater(file, { timeout: lockTimeoutMs, readOnly: true }), statementTimeoutMs)
      : openReaders({ file, count, statementTimeoutMs, lockTimeoutMs });
  const database = new SafeKysely(configOf(openWriter(writer.get, lockTimeoutMs)));
  return {
    database,
    reader: new Reader(reading.run, configOf),
    async ping() {
      writer.get().prepare('pragma schema_version').get();
    },
    async close() {
      await reading.stop();
      await database.destroy();
      writer.close();
    },
  };
}

/** Runs each statement in place: everything else waits until it is done. */
function readInPlace(connection: ReturnType<typeof openLater>, limitMs: number) {
  const statements = statementRunner(connection.get);
  const run: RunStatement = async <Row>({ sql, parameters }: CompiledQuery) =>
    withinTime(limitMs, () => statements<Row>(sql, parameters));
  return { run, stop: async () => connection.close() };
}

function configOf(driver: Driver): KyselyConfig {
  return {
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new Compiler(),
    },
    plugins: [columnValues(timed)],
  };
}

class Compiler extends SqliteQueryCompiler {
  /** The `+` changes no value. Without it, after an `analyze`, SQLite would plan the statement again for every value. */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}
