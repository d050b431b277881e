import { existsSync } from 'node:fs';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import type { DatabaseSync, StatementSync } from './driver.ts';
import { databaseFile, makeFolder, openFile } from './file.ts';
import type { Tables } from './tables.ts';

/** A transaction is one, too. */
export type Database = Kysely<Tables>;

export interface Row {
  readonly [column: string]: unknown;
}

/** Runs SELECT statements, each text prepared once. */
export interface Reader {
  read(statement: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
  /** The same, where the statement depends on the version of the database; absent inside a transaction. */
  readVersion?(choose: (version: number) => Query): Promise<Reading>;
}

interface Query {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Rows, and the version of the database that they are of: equal versions hold equal rows. */
interface Reading {
  readonly version: number;
  readonly rows: readonly Row[];
}

export interface Connection {
  readonly database: Database;
  readonly reader: Reader;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A connection to a file that is not there makes it. */
export function hasDatabase(url: string): boolean {
  return existsSync(databaseFile(url));
}

/**
 * Opens `file:./var/app.db` twice: one connection writes, one, read-only, serves the reads that need no transaction.
 * In WAL mode neither waits for the other.
 */
export function openConnection(url: string): Connection {
  const file = databaseFile(url);
  makeFolder(file);
  const writer = openFile(file);
  const reading = openFile(file, { readOnly: true });
  const database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: driverOf(writer) }),
  });
  return {
    database,
    reader: preparedReader(reading),
    async ping() {
      reading.prepare('pragma schema_version').get();
    },
    async close() {
      // The writer goes last: the last connection to close empties the write-ahead log.
      reading.close();
      await database.destroy();
      writer.close();
    },
  };
}

/** The same reads inside a transaction, where they see its changes. */
export function readerOf(database: Database): Reader {
  return {
    async read(statement, parameters) {
      const result = await database.executeQuery<Row>(
        CompiledQuery.raw(statement, [...parameters]),
      );
      return result.rows;
    },
  };
}

function preparedReader(connection: DatabaseSync): Reader {
  const statementOf = statementCache((sql) => connection.prepare<Row>(sql));
  const [begin, commit] = [connection.prepare('begin'), connection.prepare('commit')];
  // Changes whenever another connection has written; this one never does.
  const dataVersion = connection.prepare<{ data_version: number }>('pragma data_version');
  return {
    async read(statement, parameters) {
      return statementOf(statement).all(...parameters);
    },
    async readVersion(choose) {
      begin.run();
      try {
        const version = Number(dataVersion.get()?.data_version);
        const { text, parameters } = choose(version);
        return { version, rows: statementOf(text).all(...parameters) };
      } finally {
        commit.run();
      }
    },
  };
}

/** What Kysely needs of a connection, with statements kept and write locks taken at the start of a transaction. */
function driverOf(connection: DatabaseSync) {
  const statementOf = statementCache((sql) => kyselyStatement(connection.prepare(sql)));
  return {
    // A deferred transaction that turns into a write fails at once when another process has written meanwhile.
    prepare: (sql: string) => statementOf(sql === 'begin' ? 'begin immediate' : sql),
    // Whoever opened the connection closes it.
    close: () => {},
  };
}

/** Kysely asks whether a statement has rows, and hands its values over in a list. */
function kyselyStatement(statement: StatementSync<unknown>) {
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => statement.all(...values),
    iterate: (values: readonly unknown[]) => statement.iterate(...values),
    run: (values: readonly unknown[]) => statement.run(...values),
  };
}

const keptStatements = 1000;

function statementCache<Statement>(prepare: (sql: string) => Statement) {
  const statements = new Map<string, Statement>();
  return (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = prepare(sql);
    for (const oldest of statements.keys()) {
      if (statements.size < keptStatements) break;
      statements.delete(oldest);
    }
    statements.set(sql, statement);
    return statement;
  };
}
