import type { Client } from 'pg';
import { MigrationError } from './error.ts';
import { describeSession, type Session } from './other-sessions.ts';
import type { SessionOptions } from './run.ts';
import { waitFor } from './wait-for.ts';

/** Any number, as long as all processes use the same; PostgreSQL keeps such locks apart by database. */
const lockKey = 7_263_548_190;

/** Seconds after which a process that asks nothing of PostgreSQL does not migrate, but hangs. */
const longestPause = 60;

/**
 * Whoever has the lock is waited for as long as it works; when it dies, the lock is free. Asks again and again: a session
 * that waits inside PostgreSQL would block CREATE INDEX CONCURRENTLY.
 */
export async function lockMigrations(
  client: Client,
  { patience = Infinity, report }: SessionOptions,
): Promise<void> {
  const isLocked = await waitFor(() => tryLock(client), {
    patience,
    async tell(seconds) {
      const holder = await findHolder(client);
      if (holder !== undefined && holder.idle > longestPause) throw hanging(holder);
      report(
        `${describeHolder(holder)} migrates this database; waiting for it, ${seconds} s by now.`,
      );
    },
  });
  if (isLocked) return;
  throw new MigrationError(
    `${describeHolder(await findHolder(client))} has been migrating this database for ${Math.round(patience / 1000)} seconds. Nothing was changed here; start again when it has ended.`,
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
