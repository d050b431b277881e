import type { Client, QueryResultRow } from 'pg';
import { withClient } from './client.ts';
import { refuseReadOnly } from './rights.ts';
import { describeSession, type Session, settings } from './locks.ts';
import { runSteps } from './run-steps.ts';
import {
  type Applied,
  type AppliedMigration,
  MigrationError,
  type MigrationSession,
  refuseForeignRecord,
  type SessionOptions,
  type UnderWay,
} from '../history.ts';
import { waitFor } from '../wait-for.ts';
import { progressTable } from './steps.ts';

/** The default number of milliseconds to wait for a lock of a session that does not migrate. */
const usualTimeout = 60_000;

/** Uses one session for all work. The lock belongs to it and ends with it, however the process ends. */
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
    await readRecord(client, 'schema_migrations');
    await client.query(`${migrationsTable}; ${progressTable}`);
    const waiting = { timeout: usualTimeout, ...options };
    return work({
      run: async (choose) => runSteps(client, choose(await readState(client)), waiting),
      restore: (id) => `restore a backup of the database from before ${id}.`,
    });
  });
}

/**
 * A table of an earlier version has no `additive`. A table that has it is not altered, since that would wait for its
 * readers.
 */
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

async function readState(client: Client): Promise<Applied> {
  const { rows: migrations } = await client.query<AppliedMigration>(
    'select id, checksum, additive from schema_migrations',
  );
  const { rows } = await client.query<UnderWay>(
    'select id, command, done from schema_migration_steps',
  );
  return { migrations, ...(rows[0] && { underWay: rows[0] }) };
}

const rounds = 3;

/**
 * A pooler in transaction mode gives each transaction any free session, so locks and settings get lost. It is detected
 * if two clients get the same session, or one client gets two.
 */
export async function refusePooler(client: Client, other: Client): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const ours = await backend(client);
    await other.query('begin');
    const theirs = await backend(other);
    // In this order, because a pooler with one session could not answer while the other client is in a transaction.
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

/** Reads what is applied without changing anything. A database of an earlier version has fewer columns. */
export function readRecorded(url: string): Promise<Applied> {
  return withClient(url, async (client) => {
    const migrations = await readRecord<AppliedMigration>(client, 'schema_migrations');
    const [underWay] = await readRecord<UnderWay>(client, 'schema_migration_steps');
    return { migrations, ...(underWay && { underWay }) };
  });
}

async function readRecord<Row extends QueryResultRow>(
  client: Client,
  table: string,
): Promise<readonly Row[]> {
  const { rows: found } = await client.query('select where to_regclass($1) is not null', [table]);
  if (found.length === 0) return [];
  const { rows, fields } = await client.query<Row>(`select * from ${table}`);
  refuseForeignRecord(fields.map(({ name }) => name));
  return rows;
}

/** Any number that all processes share. PostgreSQL separates such locks by database. */
const lockKey = 7_263_548_190;

/** After this many seconds without a statement, a process hangs instead of migrating. */
const longestSilence = 60;

/**
 * Waits for the process that holds the lock as long as it works. If it dies, the lock is free. Asks repeatedly, since a
 * session that waits inside PostgreSQL would block CREATE INDEX CONCURRENTLY.
 */
export async function lockMigrations(
  client: Client,
  { timeout = Infinity, report }: SessionOptions,
): Promise<void> {
  const hasLock = await waitFor(() => tryLock(client), {
    timeout,
    async onWait(seconds) {
      const holder = await findHolder(client);
      if (holder !== undefined && holder.idle > longestSilence) throw hanging(holder);
      report(
        `${describeHolder(holder)} migrates this database; waiting for it, ${seconds} s by now.`,
      );
    },
  });
  if (hasLock) return;
  throw new MigrationError(
    `${describeHolder(await findHolder(client))} has been migrating this database for ${Math.round(timeout / 1000)} seconds. Nothing was changed here; start again when it has ended.`,
  );
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [lockKey],
  );
  return rows[0]?.locked === true;
}

interface Holder extends Session {
  /** Seconds without a statement. */
  readonly idle: number;
}

async function findHolder(client: Client): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select pid, host(client_addr) as address, query,
      case when state like 'idle%' then extract(epoch from now() - state_change) else 0 end::float as idle
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = $1 and granted
      and datname = current_database()`,
    [lockKey],
  );
  return rows[0];
}

function describeHolder(holder: Session | undefined): string {
  return `Another process${holder === undefined ? '' : ` (${describeSession(holder)})`}`;
}

function hanging(holder: Holder): MigrationError {
  return new MigrationError(
    `${describeHolder(holder)} has begun to migrate this database and has done nothing for ${Math.round(holder.idle)} seconds. Nothing was changed here. End it, or its session by \`select pg_terminate_backend(${holder.pid})\`, and start again.`,
  );
}
