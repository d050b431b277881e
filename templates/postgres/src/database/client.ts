import {
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { type CustomTypesConfig, Pool, types } from 'pg';
import type { Config } from '../config.ts';
import { columnValues } from './slot.ts';
import { openCostlyReader, openReader, openWriter } from './postgres-driver.ts';
import { setCostlyReads } from './queue.ts';
import type { Tables } from './tables.ts';

/** A transaction is one, too. */
export type Database = Kysely<Tables>;

export interface Connection {
  readonly database: Database;
  /** For reads that need no transaction: their statements stay prepared. */
  readonly reader: Database;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A server says by itself when it has none of this name. */
export function hasDatabase(_url: string): boolean {
  return true;
}

/** A pool of connections to `postgres://…`; none is made before the first query. */
export function openConnection({
  databaseUrl,
  databaseLimits: { poolSize, statementTimeoutMs, lockTimeoutMs, hasPooler },
}: Pick<Config, 'databaseUrl' | 'databaseLimits'>): Connection {
  const limits = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
  };
  const perTransaction = hasPooler ? setLocal(limits) : undefined;
  const pool = new Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 3000,
    ...(hasPooler ? {} : limits),
    // A server that is there ends a statement by itself; one that hangs is not waited for much longer.
    query_timeout: statementTimeoutMs + 500,
    keepAlive: true,
    types: wireTypes,
  });
  // A connection that dies is replaced by the next query; without listeners its error would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  const database = databaseOn(() => openWriter(pool, perTransaction));
  const reader = databaseOn(() => openReader(pool, perTransaction));
  setCostlyReads(reader, {
    reader: databaseOn(() => openCostlyReader(pool, perTransaction)),
    // They leave half of the pool to the others.
    workers: Math.max(1, Math.floor(poolSize / 2)),
    timeoutMs: statementTimeoutMs,
    countRows: (table) => countRows(pool, table),
  });
  return {
    database,
    reader,
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await reader.destroy();
      await database.destroy();
      if (!pool.ending) await pool.end();
    },
  };
}

function setLocal(limits: Readonly<Record<string, number>>): string {
  return Object.entries(limits)
    .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
    .join('; ');
}

/** As the last `analyze` has it; before that, by the size of the table. */
async function countRows(pool: Pool, table: string): Promise<number> {
  const found = await pool.query<{ readonly rows: number }>(
    'select greatest(reltuples, pg_relation_size(oid) / 200)::float as rows from pg_class where oid = $1::regclass',
    [`"${table.replaceAll('"', '""')}"`],
  );
  return found.rows[0]?.rows ?? 0;
}

function databaseOn(createDriver: () => Driver): Database {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver,
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [columnValues],
  });
}

function ignore(): void {}

/** Values as the API shows them, where that differs from what `pg` makes of them. */
const parsers: { readonly [oid: number]: (text: string) => unknown } = {
  [types.builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
  [types.builtins.DATE]: (text) => text,
  // `09:30:00.5` → `09:30:00.500`
  [types.builtins.TIME]: (text) => (text.includes('.') ? text : `${text}.`).padEnd(12, '0'),
  [types.builtins.INT8]: integer,
  [types.builtins.BYTEA]: (text) => Buffer.from(text.slice(2), 'hex').toString('base64'),
};

const wireTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? types.getTypeParser(oid, format),
};

/** Ids and counts are numbers; beyond 2^53, where a number would round, the text stays. */
function integer(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
