import type { Database } from './client.ts';
import { readMigrations, readSchemaSql } from './migrations/read.ts';
import {
  type Applied,
  backRun,
  compareHistory,
  describeUnderWay,
  findPending,
  type History,
  MigrationError,
  type MigrationRun,
  type MigrationStatus,
  nextRun,
  type SessionOptions,
} from './migrations/run.ts';
import { findApplied, migrationSession } from './migrations/session.ts';

interface Options extends Partial<SessionOptions> {
  /** Where the migrations are, when not in `migrations/`. */
  readonly folder?: string;
}

const silent: SessionOptions = { report: () => {} };

/**
 * Applies what is pending and returns its ids. Any number of processes may do so at once: each migration is applied
 * once. Throws MigrationError, and changes nothing, when history does not agree.
 */
export async function migrate(url: string, options: Options = {}): Promise<readonly string[]> {
  const history = readHistory(options);
  return migrationSession(url, { ...silent, ...options }, async (session) => {
    const ids: string[] = [];
    for (;;) {
      const run = await session.run((applied) => nextRun(history, applied));
      if (run === undefined) return ids;
      ids.push(...run.adds.map(({ id }) => id));
    }
  });
}

/** Takes back the migration that was applied last, and returns its id; throws MigrationError when it cannot be. */
export async function rollback(url: string, options: Options = {}): Promise<string> {
  const history = readHistory(options);
  return migrationSession(url, { ...silent, ...options }, async (session) => {
    const restore = (id: string) => session.restore(id);
    const run = await session.run((applied) => backRun(history, applied, restore));
    return run?.id ?? '';
  });
}

/** Without a database everything is pending. */
export async function migrationStatus(
  database: Database | undefined,
  options: Options = {},
): Promise<MigrationStatus> {
  const { migrations, underWay } = await appliedTo(database);
  return { ...compareHistory(readHistory(options), migrations), ...(underWay && { underWay }) };
}

/** What `migrate` would begin with; throws MigrationError when history does not agree. */
export async function nextMigration(database: Database): Promise<MigrationRun | undefined> {
  const { migrations, underWay } = await findApplied(database);
  return underWay === undefined ? nextRun(readHistory({}), migrations) : undefined;
}

/** Throws MigrationError unless the database is as far as this code. */
export async function refusePending(database: Database): Promise<void> {
  const { migrations, underWay } = await findApplied(database);
  const pending = findPending(readHistory({}), migrations).map(({ id }) => id);
  if (underWay !== undefined) throw new MigrationError(describeUnderWay(underWay));
  if (pending.length === 0) return;
  throw new MigrationError(
    `Not applied to the database yet: ${pending.join(', ')}. Start with --migrate to apply what is pending.`,
  );
}

function readHistory({ folder }: Options): History {
  return { migrations: readMigrations(folder), schema: readSchemaSql(folder) };
}

async function appliedTo(database: Database | undefined): Promise<Applied> {
  return database === undefined ? { migrations: [] } : findApplied(database);
}
