import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { AppliedMigration } from './migrate.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './migrations.ts';

export interface MigrationSession {
  applied(): Promise<readonly AppliedMigration[]>;
  /** False when another process has applied it meanwhile. */
  apply(migration: Migration): Promise<boolean>;
}

/** One session for all of the work: the lock below belongs to it, and ends with it however the process ends. */
export async function migrationSession<Result>(
  url: string,
  work: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // The query that is under way fails as well; without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await lock(client);
    await client.query(
      'create table if not exists schema_migrations (id text primary key, checksum text not null, applied_at timestamptz(3) not null)',
    );
    return await work({
      applied: () => readApplied(client),
      apply: (migration) => apply(client, migration),
    });
  } finally {
    await client.end();
  }
}

/** Any number, as long as all processes use the same; PostgreSQL keeps such locks apart by database. */
const lockKey = 7_263_548_190;
const lockWait = 60_000;

/** Asks again and again: a session that waits inside PostgreSQL would block CREATE INDEX CONCURRENTLY. */
async function lock(client: Client): Promise<void> {
  const deadline = performance.now() + lockWait;
  while (!(await tryLock(client))) {
    if (performance.now() > deadline) {
      throw new MigrationError('Another process has been migrating this database for a minute.');
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

async function readApplied(client: Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select id, checksum from schema_migrations',
  );
  return rows;
}

async function apply(client: Client, { id, up, checksum }: Migration): Promise<boolean> {
  try {
    await client.query('begin');
    await client.query(up);
    await client.query('insert into schema_migrations values ($1, $2, now())', [id, checksum]);
    await client.query('commit');
    return true;
  } catch (cause) {
    await client.query('rollback').catch(() => {});
    throw new MigrationError(`Migration ${id} failed and was undone: ${messageOf(cause)}`, {
      cause,
    });
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
