import { loadConfig, readEnvironment } from '../config.ts';
import { hasDatabase } from '../database/client.ts';
import { migrationStatus } from '../database/migrate.ts';
import { describeDifference, isDrift } from '../database/migrations/drift.ts';
import { readSchemaSql } from '../database/migrations/read.ts';
import type { MigrationStatus } from '../database/migrations/run.ts';
import { findDrift } from '../database/migrations/schema-facts.ts';
import { print, readOptions, runCommand, withConnection } from './command.ts';

/** Exits with 1 unless the database is what the migrations make of it; what the owner has added to it is fine. */
await runCommand(async () => {
  const { json } = readOptions('npm run db:status -- [--json]', { json: { type: 'boolean' } });
  const { databaseUrl } = loadConfig(readEnvironment());
  const status = await readStatus(databaseUrl);
  const { altered, pending, unknown } = status;
  const schema = readSchemaSql();
  // While something is pending, the tables are those of an older schema.
  const isComparable = pending.length === 0 && schema !== undefined;
  const drift = isComparable ? await findDrift(databaseUrl, schema) : [];
  const isInStep = altered.length + pending.length + unknown.length === 0 && !drift.some(isDrift);
  if (!isInStep) process.exitCode = 1;
  if (json === true) {
    print(JSON.stringify({ ...status, ...(isComparable && { drift }) }));
    return;
  }
  for (const id of status.applied) print(`${altered.includes(id) ? 'altered' : 'applied'}  ${id}`);
  for (const id of unknown) print(`unknown  ${id}`);
  for (const id of pending) print(`pending  ${id}`);
  for (const difference of drift) print(describeDifference(difference));
  if (schema === undefined) print('Tables were not compared: migrations/schema.sql is missing.');
  if (isInStep) print('The database is in step.');
});

/** Looks, and makes nothing. */
async function readStatus(url: string): Promise<MigrationStatus> {
  if (!hasDatabase(url)) return migrationStatus(undefined);
  return withConnection(url, ({ database }) => migrationStatus(database));
}
