import { loadConfig, readEnvironment } from '../config.ts';
import { hasDatabase } from '../database/client.ts';
import { migrationStatus, nextMigration } from '../database/migrate.ts';
import { describeDifference, isDrift } from '../database/migrations/drift.ts';
import { MigrationError } from '../database/migrations/error.ts';
import { readDraft, readSchemaSql } from '../database/migrations/read.ts';
import {
  describeRows,
  type FoundRows,
  type RowCheck,
  rowChecks,
} from '../database/migrations/row-checks.ts';
import { findRows } from '../database/migrations/row-counts.ts';
import { describeUnderWay, type MigrationStatus } from '../database/migrations/run.ts';
import { findDrift } from '../database/migrations/schema-facts.ts';
import { print, readOptions, runCommand, withConnection } from './command.ts';

/** Exits with 1 unless the database is what the migrations make of it; what the owner has added to it is fine. */
await runCommand(async () => {
  const { json, draft } = readOptions('npm run db:status -- [--json] [--draft <meta.json>]', {
    json: { type: 'boolean' },
    draft: { type: 'string' },
  });
  const { databaseUrl } = loadConfig(readEnvironment());
  const status = await readStatus(databaseUrl);
  const { applied, pending, unknown, altered, underWay } = status;
  const schema = readSchemaSql();
  // While something is pending, the tables are those of an older schema.
  const isSettled = pending.length === 0 && underWay === undefined;
  const isComparable = isSettled && schema !== undefined;
  const drift = isComparable ? await findDrift(databaseUrl, schema) : [];
  const isInStep = isSettled && altered.length + unknown.length === 0 && !drift.some(isDrift);
  const next = await findNext(databaseUrl, status, draft);
  const rows = next && (await countRows(databaseUrl, next));
  if (!isInStep) process.exitCode = 1;
  if (json === true) {
    const concerned = rows?.map((found) => ({
      migration: next?.id,
      hazard: `${found.code}:${found.target}`,
      rows: found.rows,
    }));
    print(JSON.stringify({ ...status, ...(isComparable && { drift }), concerned }));
    return;
  }
  for (const id of applied) print(`${altered.includes(id) ? 'altered' : 'applied'}  ${id}`);
  for (const id of unknown) print(`unknown  ${id}`);
  for (const id of pending) {
    print(`pending  ${id}`);
    const found = id === next?.id ? (rows ?? []).filter((it) => it.rows > 0) : [];
    for (const some of found) print(`         ${describeRows(some)}`);
  }
  if (underWay !== undefined) print(describeUnderWay(underWay));
  for (const difference of drift) print(describeDifference(difference));
  if (schema === undefined) print('Tables were not compared: migrations/schema.sql is missing.');
  if (isInStep) print('The database is in step.');
});

/** Looks, and makes nothing. */
async function readStatus(url: string): Promise<MigrationStatus> {
  if (!hasDatabase(url)) return migrationStatus(undefined);
  return withConnection(url, ({ database }) => migrationStatus(database));
}

async function countRows(url: string, { id, checks }: Next): Promise<readonly FoundRows[]> {
  try {
    return await findRows(url, checks);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`The rows that ${id} is about cannot be counted: ${reason}.`, {
      cause,
    });
  }
}

interface Next {
  readonly id: string;
  readonly checks: readonly RowCheck[];
}

/** What may be applied next: a migration that is pending, or one that is a draft yet, where none is. */
async function findNext(
  url: string,
  { pending, unknown, altered, underWay }: MigrationStatus,
  draft: string | undefined,
): Promise<Next | undefined> {
  const isCertain = unknown.length + altered.length === 0 && underWay === undefined;
  if (!isCertain || !hasDatabase(url)) return undefined;
  if (draft === undefined) return withConnection(url, ({ database }) => nextMigration(database));
  const { id, hazards } = readDraft(draft);
  return pending.length === 0 ? { id, checks: rowChecks(hazards) } : undefined;
}
