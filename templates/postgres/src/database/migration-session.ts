import type { Client } from 'pg';
import { lockMigrations } from './migration-lock.ts';
import { progressTable } from './migration-progress.ts';
import type { AppliedMigration, MigrationSession, SessionOptions } from './migration-run.ts';
import { refusePooler } from './refuse-pooler.ts';
import { runSteps } from './run-steps.ts';
import { withClient } from './with-client.ts';

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
    return work({
      run: async (choose) => runSteps(client, choose(await readApplied(client)), options),
      restore: (id) => `restore a backup of the database from before ${id}.`,
    });
  });
}

/** Statements take the time that they need. From PostgreSQL 14 on it notices when this process dies meanwhile. */
const settings = `
  set client_min_messages = warning;
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  select set_config(name, '5s', false) from pg_settings where name = 'client_connection_check_interval'
`;

const migrationsTable =
  'create table if not exists schema_migrations (id text primary key, checksum text not null, applied_at timestamptz(3) not null)';

async function readApplied(client: Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select id, checksum from schema_migrations',
  );
  return rows;
}
