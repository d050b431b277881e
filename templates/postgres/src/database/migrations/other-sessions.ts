import type { Client } from 'pg';

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
