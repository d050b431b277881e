import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { SessionOptions } from '../history.ts';

/**
 * Without row security, PostgreSQL refuses a statement that a policy would hide rows from. The time zone is UTC, for
 * conversions between times with and without a zone. There is no limit for statements. Since PostgreSQL 14, a statement
 * ends within seconds if this process dies, and the session within a minute if its machine does.
 */
export const settings = `
  set client_min_messages = warning;
  set row_security = off;
  set timezone = 'UTC';
  set tcp_keepalives_idle = 30;
  set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3;
  select set_config(name, case name when 'client_connection_check_interval' then '5s' else '0' end, false)
  from pg_settings where name in (
    'client_connection_check_interval', 'statement_timeout', 'transaction_timeout',
    'idle_in_transaction_session_timeout'
  )
`;

/** Settings of a migration must not affect the record of it or later migrations. */
export async function resetSession(client: Client): Promise<void> {
  await client.query(`reset session authorization; reset role; reset all; ${settings}`);
}

interface Options extends Required<SessionOptions> {
  /** What waits, as the beginning of a sentence. */
  readonly name: string;
}

const [shortestPause, longestPause] = [200, 5000];

/**
 * Repeats work that a lock of another session has stopped. Other sessions queue up behind one that waits for a table,
 * so each wait is short, with pauses in between.
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

/** A session of another client of the same database. */
export interface Session {
  readonly pid: number;
  /** `null` for one on the server itself. */
  readonly address: string | null;
  /** Its current or last statement. */
  readonly query: string;
}

export function describeSession({ pid, address, query }: Session): string {
  const statement = query.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `session ${pid}${address === null ? '' : ` from ${address}`}, \`${statement}\``;
}

/** The session with the oldest transaction, for which others most likely wait. */
export async function findOldest(client: Client): Promise<Session | undefined> {
  const { rows } = await client.query<Session>(
    `select pid, host(client_addr) as address, query
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`,
  );
  return rows[0];
}
