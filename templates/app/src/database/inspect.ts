import type { Config } from '../config.ts';
import { type Database, hasDatabase, openConnection } from './client.ts';
import { violation } from './errors.ts';
import { migrationStatus, nextMigration } from './migrate.ts';
import { type Difference, type FoundRows, isDrift } from './migrations/checks.ts';
import { findDrift, findRows } from './migrations/facts.ts';
import { readDraft, readSchemaSql } from './migrations/read.ts';
import { MigrationError, type MigrationStatus, rowChecks } from './migrations/run.ts';

/** How a database stands to the migrations. */
export interface Inspection {
  readonly status: MigrationStatus;
  /** Whether it is what the migrations make of it; what the owner has added to it is fine. */
  readonly isInStep: boolean;
  /** How its tables differ; absent while something is pending. */
  readonly drift?: readonly Difference[];
  /** Why they cannot be compared. */
  readonly uncompared?: string;
  readonly outlook: Outlook;
}

interface Outlook {
  /** Of what may be applied next: a migration that is pending, or one that is a draft yet, where none is. */
  readonly id?: string;
  readonly found?: readonly FoundRows[];
  /** Why its rows are not counted. */
  readonly uncounted?: string;
}

type Settings = Pick<Config, 'databaseUrl' | 'databaseLimits'>;

/** Looks, and makes nothing. */
export async function inspectDatabase(config: Settings, draft?: string): Promise<Inspection> {
  const status = await readStatus(config);
  const { pending, unknown, altered, underWay } = status;
  // While something is pending, the tables are those of an older schema.
  const isSettled = pending.length === 0 && underWay === undefined;
  const { drift, uncompared } = await compareTables(config, isSettled);
  return {
    status,
    isInStep: drift !== undefined && altered.length + unknown.length === 0 && !drift.some(isDrift),
    ...(drift && { drift }),
    ...(uncompared !== undefined && { uncompared }),
    outlook: await lookAhead(config, status, draft),
  };
}

async function compareTables(
  { databaseUrl }: Settings,
  isSettled: boolean,
): Promise<Pick<Inspection, 'drift' | 'uncompared'>> {
  const schema = readSchemaSql();
  if (schema === undefined) return { uncompared: noSchemaSql };
  try {
    return isSettled ? { drift: await findDrift(databaseUrl, schema) } : {};
  } catch (error) {
    if (error instanceof MigrationError) return { uncompared: error.message };
    throw error;
  }
}

const noSchemaSql =
  'migrations/schema.sql is missing. Restore it, or run `scaffold regenerate --restore migrations/schema.sql`.';

async function readStatus(config: Settings): Promise<MigrationStatus> {
  if (!hasDatabase(config.databaseUrl)) return migrationStatus(undefined);
  return lookAt(config, (database) => migrationStatus(database));
}

/** Whatever is in the way of this, the rest can be said. */
async function lookAhead(
  config: Settings,
  { pending, unknown, altered, underWay }: MigrationStatus,
  draftFile: string | undefined,
): Promise<Outlook> {
  const draft = draftFile === undefined ? undefined : readDraft(draftFile);
  const isCertain = unknown.length + altered.length === 0 && underWay === undefined;
  if (!isCertain || !hasDatabase(config.databaseUrl)) return {};
  try {
    if (draft === undefined) {
      const next = await lookAt(config, (database) => nextMigration(database));
      return next === undefined
        ? {}
        : { id: next.id, found: await findRows(config.databaseUrl, next.checks) };
    }
    if (pending.length > 0) return {};
    return { id: draft.id, found: await findRows(config.databaseUrl, rowChecks(draft.hazards)) };
  } catch (error) {
    if (violation(error)?.kind === 'unavailable' || !(error instanceof Error)) throw error;
    if (error instanceof MigrationError) return { uncounted: error.message };
    const reason = `${error.message}. Are the tables as the migrations before it have left them?`;
    return { uncounted: `The rows that are concerned cannot be counted: ${reason}` };
  }
}

async function lookAt<Result>(
  config: Settings,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection(config);
  try {
    return await work(connection.database);
  } finally {
    await connection.close();
  }
}
