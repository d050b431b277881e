import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from './tables.ts';
import { wireTypes } from './wire-types.ts';

/** A transaction is one, too. */
export type Database = Kysely<Tables>;

export interface Row {
  readonly [column: string]: unknown;
}

/** Runs SELECT statements, each text prepared once a connection. */
export interface Reader {
  read(statement: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Connection {
  readonly database: Database;
  readonly reader: Reader;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A server says by itself when it has none of this name. */
export function hasDatabase(_url: string): boolean {
  return true;
}

/** A pool of connections to `postgres://…`; none is made before the first query. */
export function openConnection(url: string): Connection {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3000,
    // A server that is there ends a statement by itself; one that hangs is not waited for much longer.
    statement_timeout: 4000,
    query_timeout: 4500,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    types: wireTypes,
  });
  // A connection that dies is replaced by the next query; without listeners its error would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    database,
    reader: preparedReader(pool),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await database.destroy();
      if (!pool.ending) await pool.end();
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

function preparedReader(pool: Pool): Reader {
  const nameOf = statementNames();
  return {
    async read(text, values) {
      const result = await pool.query<Row>({ ...nameOf(text), text, values: [...values] });
      return result.rows;
    },
  };
}

const namedStatements = 500;

/** Named statements stay prepared as long as their connection lives, so their number is bounded. */
function statementNames() {
  const names = new Map<string, { readonly name: string }>();
  return (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size === namedStatements) return known;
    const named = { name: `read_${names.size}` };
    names.set(text, named);
    return named;
  };
}

function ignore(): void {}
