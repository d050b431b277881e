import type { Client } from 'pg';
import { connectedClient } from '../../support/postgres.ts';
import { introspectPostgres } from './introspect-postgres.ts';
import { applyPostgres } from './postgres-runner.ts';
import type { Store } from './store.ts';

let count = 0;

/** Connections whose store is closed: a new one costs the server four times what a store takes. */
const idle: Client[] = [];

/** A schema of its own in one database: making a database takes longer than a chain. */
export async function openPostgres(url: string): Promise<Store> {
  count += 1;
  const schema = `chain_${count}`;
  const client = idle.pop() ?? (await connectedClient(url));
  await client.query(
    `CREATE SCHEMA ${schema}; SET search_path = ${schema}; SET client_min_messages = error`,
  );
  return {
    run: async (sql) => void (await client.query(sql)),
    values: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows,
    rows: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
    apply: (migration, way) => applyPostgres(client, migration, way),
    introspect: () => introspectPostgres(client, schema),
    close: async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.query('DISCARD ALL');
      idle.push(client);
    },
  };
}
