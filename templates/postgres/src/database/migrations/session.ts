import type { Client } from 'pg';
import { withClient } from '../with-client.ts';
import { lockMigrations } from './lock.ts';
import { progressTable } from './progress.ts';
import { refusePooler } from './refuse-pooler.ts';
import { runSteps } from './run-steps.ts';
import type { AppliedMigration, MigrationSession, SessionOptions } from './run.ts';

/** Milliseconds to wait for a lock of somebody who does not migrate, when nothing else is said. */
const usualPatience = 60_000;

/** One session for all of the work: the lock belongs to it, and ends with it however the process ends. */
export async function migrationSession<Result>(
  url: string,
  options: SessionOptions,
  work: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  return withClient(url, async (client) => {
    await withClient(url, (other) => refusePooler(client, other));
    await client.query(settings);
    await lockMigrations(client, options);
    await client.query(`${migrationsTable}; ${progressTable}`);
    const patient = { patience: usualPatience, ...options };
    return work({
      run: async (choose) => runSteps(client, choose(await readApplied(client)), patient),
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
