import {
  type Driver,
  type KyselyConfig,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { type CustomTypesConfig, Pool, type PoolConfig, types } from 'pg';
import type { Config } from '../config.ts';
import { columnValues } from './column-values.ts';
import { connect, openReader, openWriter } from './postgres-driver.ts';
import { Reader } from './reading.ts';
import { readFromStandby } from './standby.ts';
import type { Database } from './tables.ts';
import { SafeKysely } from './transaction.ts';

export type { Database };

export interface Connection {
  readonly database: Database;
  /** For reads only, each by itself: it sees nothing of an open transaction. */
  readonly reader: Database;
  /** For reads that may be seconds old: on the standby of DATABASE_READER_URL while it keeps up, else as `reader`. */
  readonly replica: Database;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to `postgres://…`, with the first query. */
export function openConnection({
  databaseUrl,
  readerUrl = '',
  databaseLimits,
}: Pick<Config, 'databaseUrl' | 'databaseLimits'> & { readonly readerUrl?: string }): Connection {
  const primary = openServer(databaseUrl, databaseLimits, databaseLimits.statementTimeoutMs);
  const standby = readerUrl === '' ? undefined : openServer(readerUrl, databaseLimits, quickMs);
  const database = new SafeKysely(configOf(openWriter(primary.whole)));
  const reader = new Reader(primary.run, configOf);
  return {
    database,
    reader,
    replica: standby ? new Reader(readFromStandby(primary, standby), configOf) : reader,
    async ping() {
      const client = await connect(primary.pool);
      await client.query('select 1').finally(() => client.release());
    },
    async close() {
      await database.destroy();
      await primary.close();
      await standby?.close();
    },
  };
}

/** What is not done by then makes room for others. */
const quickMs = 100;

/** Half of the connections are for quick reads only. */
function openServer(
  connectionString: string,
  { poolSize, statementTimeoutMs, lockTimeoutMs, hasPooler }: Config['databaseLimits'],
  patienceMs: number,
) {
  const poolOf = (size: number, limitMs: number) => {
    const limits = {
      statement_timeout: limitMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: 15_000,
    };
    const pool = openPool({
      connectionString,
      max: size,
      ...(hasPooler ? {} : limits),
      // A working server ends the statement itself; this is for one that hangs.
      query_timeout: Math.max(limitMs, patienceMs) + 500,
    });
    return { pool, size, limitMs, perTransaction: hasPooler ? setLocal(limits) : undefined };
  };
  const quick = poolOf(Math.ceil(poolSize / 2), Math.min(quickMs, statementTimeoutMs));
  const whole = poolOf(Math.floor(poolSize / 2), statementTimeoutMs);
  return {
    /** For everything else that is asked of the server. */
    pool: quick.pool,
    whole,
    run: openReader(quick, whole),
    async close() {
      for (const { pool } of [quick, whole]) if (!pool.ending) await pool.end();
    },
  };
}

function openPool(config: PoolConfig): Pool {
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    types: wireTypes,
  });
  // The next query replaces a connection that died; without a listener, its error would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function setLocal(limits: Readonly<Record<string, number>>): string {
  return Object.entries(limits)
    .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
    .join('; ');
}

function configOf(driver: Driver): KyselyConfig {
  return {
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [columnValues()],
  };
}

function ignore(): void {}

/** Values as the API shows them, for types that `pg` would return in another form. */
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

/** Ids and counts are numbers; beyond 2^53, where a number would be rounded, they stay text. */
function integer(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
