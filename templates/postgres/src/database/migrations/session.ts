import type { Client } from 'pg';
import type { Database } from '../client.ts';
import { isMissingTable } from '../errors.ts';
import { withClient } from '../with-client.ts';
import { refuseReadOnly } from './facts.ts';
import { lockMigrations } from './locks.ts';
import { runSteps } from './run-steps.ts';
import {
  type Applied,
  type AppliedMigration,
  MigrationError,
  type MigrationSession,
  type SessionOptions,
  type UnderWay,
} from './run.ts';
import { progressTable } from './steps.ts';

/** Milliseconds to wait for a lock of somebody who does not migrate, when nothing else is said. */
const usualTimeout = 60_000;

/** One session for all of the work: the lock belongs to it, and ends with it however the process ends. */
export async function migrationSession<Result>(
  url: string,
  options: SessionOptions,
  work: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  return withClient(url, async (client) => {
    await withClient(url, (other) => refusePooler(client, other));
    await refuseReadOnly(client);
    await client.query(settings);
    await lockMigrations(client, options);
    await client.query(`${migrationsTable}; ${progressTable}`);
    const waiting = { timeout: usualTimeout, ...options };
    return work({
      run: async (choose) => runSteps(client, choose(await readApplied(client)), waiting),
      restore: (id) => `restore a backup of the database from before ${id}.`,
    });
  });
}

/**
 * Rows that a policy hides would be passed over in silence: without row security PostgreSQL refuses the statement.
 * Work takes the time that it needs. From PostgreSQL 14 on a statement ends within seconds when this process dies, and
 * the session within a minute when its machine does.
 */
const settings = `
  set client_min_messages = warning;
  set row_security = off;
  set tcp_keepalives_idle = 30;
  set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3;
  select set_config(name, case name when 'client_connection_check_interval' then '5s' else '0' end, false)
  from pg_settings where name in (
    'client_connection_check_interval', 'statement_timeout', 'transaction_timeout',
    'idle_in_transaction_session_timeout'
  )
`;

/** A table of a former version has no `additive`; one that has it is not altered, which would wait for its readers. */
const migrationsTable = `
  create table if not exists schema_migrations
    (id text primary key, checksum text not null, applied_at timestamptz(3) not null, additive integer);
  do $$ begin
    if not exists (
      select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'additive'
    ) then
      alter table schema_migrations add column additive integer;
    end if;
  end $$
`;

async function readApplied(client: Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select id, checksum, additive from schema_migrations',
  );
  return rows;
}

const rounds = 3;

/**
 * A pooler in transaction mode gives each transaction any session that is free, so locks and settings of a session are
 * lost. It shows when two clients get the same session, or one client gets two.
 */
export async function refusePooler(client: Client, other: Client): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const ours = await backend(client);
    await other.query('begin');
    const theirs = await backend(other);
    // In this order: a pooler of one session could not answer while the other client is in a transaction.
    const isShared = ours === theirs || ours !== (await backend(client));
    await other.query('rollback');
    if (isShared) throw new MigrationError(advice);
  }
}

async function backend(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

const advice =
  'DATABASE_URL leads to a connection pooler in transaction mode, and a migration needs one session from its beginning to its end. Nothing was changed. Run it with the direct URL, that of the PostgreSQL server itself: `DATABASE_URL=postgres://… npm run db:migrate`.';

/** Looks, and makes nothing. */
export async function findApplied(database: Database): Promise<Applied> {
  const all = database.withTables<{
    schema_migrations: AppliedMigration;
    schema_migration_steps: UnderWay;
  }>();
  const migrations = await orNone(() =>
    // A database of a former version has fewer columns.
    all.selectFrom('schema_migrations').selectAll().execute(),
  );
  const [underWay] = await orNone(() =>
    all.selectFrom('schema_migration_steps').select(['id', 'command', 'done']).execute(),
  );
  return { migrations, ...(underWay && { underWay }) };
}

async function orNone<Row>(read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await read();
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
