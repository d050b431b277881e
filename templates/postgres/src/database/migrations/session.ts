import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { Database } from '../client.ts';
import { isMissingTable } from '../dialect.ts';
import { withClient } from '../postgres-driver.ts';
import { refuseReadOnly } from './facts.ts';
import { runSteps } from './run-steps.ts';
import {
  type Applied,
  type AppliedMigration,
  MigrationError,
  type MigrationSession,
  type SessionOptions,
  type UnderWay,
  waitFor,
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

/** What a migration sets for its session would hold for what is noted of it, and for those after it. */
export async function resetSession(client: Client): Promise<void> {
  await client.query(`reset session authorization; reset role; reset all; ${settings}`);
}

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

/** Any number, as long as all processes use the same; PostgreSQL keeps such locks apart by database. */
const lockKey = 7_263_548_190;

/** Seconds after which a process that asks nothing of PostgreSQL does not migrate, but hangs. */
const longestSilence = 60;

/**
 * Whoever has the lock is waited for as long as it works; when it dies, the lock is free. Asks again and again: a session
 * that waits inside PostgreSQL would block CREATE INDEX CONCURRENTLY.
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

interface Options extends Required<SessionOptions> {
  /** Who waits, at the beginning of a sentence. */
  readonly name: string;
}

const [shortestPause, longestPause] = [200, 5000];

/**
 * Repeats work that another session's lock has stopped. Whoever wants the same table queues up behind one that waits
 * for it, so the wait is short each time, with room for the others in between.
 */
export async function withRetries<Result>(
  { name, report, timeout }: Options,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + timeout;
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() + pause > deadline) throw error;
      report(`${name}: another session holds a lock that it needs; trying again.`);
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }
}

/** `lock_not_available` or `deadlock_detected`. */
export function isLocked(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01');
}

/** Of another client of the same database. */
export interface Session {
  readonly pid: number;
  /** `null` for one on the server itself. */
  readonly address: string | null;
  /** Its last or present statement. */
  readonly query: string;
}

export function describeSession({ pid, address, query }: Session): string {
  const statement = query.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `session ${pid}${address === null ? '' : ` from ${address}`}, \`${statement}\``;
}

/** Whoever has been in a transaction for longest: most likely the one that others wait for. */
export async function findOldest(client: Client): Promise<Session | undefined> {
  const { rows } = await client.query<Session>(
    `select pid, host(client_addr) as address, query
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`,
  );
  return rows[0];
}
