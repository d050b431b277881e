import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { createDatabase } from '../scripts/embedded-postgres.ts';
import type { Config } from '../src/config.ts';
import { type Connection, openConnection } from '../src/database/client.ts';
import { migrate } from '../src/database/migrate.ts';

export interface TestDatabase {
  readonly url: string;
  /** Opens a connection; the server of `test/postgres.ts` never waits for the disk. */
  open(config: Config): Promise<Connection>;
  /** Takes the rows out of every table. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** A new database with all tables, on the server of `test/postgres.ts`. */
export async function makeDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = String(Object.assign(new URL(server), { pathname: name }));
  await createDatabase(server, name);
  await migrate(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  // Turns off foreign keys and triggers, so that tables can be emptied in any order. It takes a superuser, which test
  // servers have.
  await client.query('set session_replication_role = replica');
  const tables = await readTables(client);
  return {
    url,
    open: async (config) => openConnection(config),
    async empty() {
      await client.query(tables.map((table) => `delete from ${table}`).join(';'));
    },
    async remove() {
      await client.end();
      const admin = new Client({ connectionString: server });
      await admin.connect();
      // This is not what was tested, so it is only reported.
      await admin.query(`drop database ${name} with (force)`).catch((error: unknown) => {
        console.warn(`The database ${name} is still there.`, error);
      });
      await admin.end();
    },
  };
}

/** Those of every schema, except for the tables of migrations and of extensions. */
async function readTables(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname not like 'pg\\_%' and nspname <> 'information_schema'
      and relname not in ('schema_migrations', 'schema_migration_steps')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`);
  return rows.map(({ name }) => name);
}
