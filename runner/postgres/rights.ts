import type { Client } from 'pg';
import { MigrationError } from '../history.ts';

/** For comparisons, which create temporary tables. */
const temporaryTables = `
  select format('grant temporary on database %I to %I', current_database(), current_user) as missing
  where not has_database_privilege(current_database(), 'temporary')
`;

const newTables = `
  select format('grant usage, create on schema %I to %I', coalesce(current_schema(), 'public'), current_user) as missing
  where has_schema_privilege(current_schema(), 'create') is not true
`;

const ownTables = `
  select format('alter table %I owner to %I', relname, current_user) as missing from pg_class
  where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p') and relname = any($1)
    and not pg_has_role(relowner, 'usage')
`;

/** Each query returns the SQL that grants the missing right. */
async function refuseMissingRights(
  client: Client,
  rights: readonly string[],
  tables?: readonly string[],
): Promise<void> {
  const query = `${rights.join(' union all ')} order by 1`;
  const { rows } = await client.query<{ missing: string }>(query, tables && [tables]);
  if (rows.length === 0) return;
  throw new MigrationError(
    `The role of DATABASE_URL lacks rights that this needs. Nothing was changed. Use another role, or let the owner run \`${rows.map(({ missing }) => missing).join('; ')}\`.`,
  );
}

/** The expected tables are created as temporary ones. */
export async function refuseNoComparing(client: Client): Promise<void> {
  await refuseNoWrites(client);
  await refuseMissingRights(client, [temporaryTables]);
}

/** The record of applied migrations needs a table. */
export async function refuseReadOnly(client: Client): Promise<void> {
  await refuseNoWrites(client);
  await refuseMissingRights(client, [newTables]);
}

async function refuseNoWrites(client: Client): Promise<void> {
  const { rows } = await client.query<{ reason: string }>(`
    select case when pg_is_in_recovery() then 'it is a standby, which follows another server'
      else '\`default_transaction_read_only\` is on' end as reason
    where current_setting('transaction_read_only')::boolean`);
  for (const { reason } of rows) {
    throw new MigrationError(
      `The database takes no writes here: ${reason}. Nothing was changed. Use the server that takes them.`,
    );
  }
}

/** Only the owner of a table can change it. */
export async function refusePoorRole(client: Client, tables: readonly string[]): Promise<void> {
  await refuseMissingRights(client, [temporaryTables, ownTables], tables);
}
