import { loadConfig, readEnvironment } from '../config.ts';
import { describeDifference, isDrift } from '../database/drift.ts';
import { migrationStatus } from '../database/migrate.ts';
import { readSchemaSql } from '../database/migrations.ts';
import { findDrift } from '../database/schema-facts.ts';
import { print, readOptions, runCommand, withConnection } from './command.ts';

/** Exits with 1 unless the database is what the migrations make of it; what the owner has added to it is fine. */
await runCommand(async () => {
  const { json } = readOptions('npm run db:status -- [--json]', { json: { type: 'boolean' } });
  const { databaseUrl } = loadConfig(readEnvironment());
  const status = await withConnection(databaseUrl, ({ database }) => migrationStatus(database));
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
