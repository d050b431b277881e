import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import { MigrationError, type SessionOptions, waitFor } from './run.ts';

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
