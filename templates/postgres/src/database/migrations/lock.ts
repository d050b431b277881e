import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { MigrationError } from './error.ts';
import { describeSession, type Session } from './other-sessions.ts';
import type { SessionOptions } from './run.ts';

/** Any number, as long as all processes use the same; PostgreSQL keeps such locks apart by database. */
const lockKey = 7_263_548_190;

/** Asks again and again: a session that waits inside PostgreSQL would block CREATE INDEX CONCURRENTLY. */
export async function lockMigrations(
  client: Client,
  { patience, report }: SessionOptions,
): Promise<void> {
  const start = performance.now();
  let isTold = false;
  while (!(await tryLock(client))) {
    const waited = performance.now() - start;
    if (waited > patience) throw new MigrationError(await describeHolder(client, patience));
    if (waited > 2000 && !isTold) {
      report('Another process migrates this database; waiting for it to end.');
      isTold = true;
    }
    await sleep(50 + Math.random() * 100);
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [lockKey],
  );
  return rows[0]?.locked === true;
}

async function describeHolder(client: Client, patience: number): Promise<string> {
  const { rows } = await client.query<Session>(
    `select pid, host(client_addr) as address, query
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = $1 and granted
      and datname = current_database()`,
    [lockKey],
  );
  const holder = rows[0] === undefined ? '' : ` (${describeSession(rows[0])})`;
  return `Another process${holder} has been migrating this database for ${Math.round(patience / 1000)} seconds. Nothing was changed here; start again when it has ended.`;
}
