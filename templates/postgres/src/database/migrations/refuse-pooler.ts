import type { Client } from 'pg';
import { MigrationError } from './error.ts';

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
