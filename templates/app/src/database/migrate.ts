import type { Database } from './client.ts';
import { isMissingTable } from './errors.ts';
import { MigrationError } from './migration-error.ts';
import { migrationSession } from './migration-session.ts';
import { readMigrations, type Migration } from './migrations.ts';

export interface AppliedMigration {
  readonly id: string;
  readonly checksum: string;
}

/** Ids, oldest first. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied to the database, and not in the folder. */
  readonly unknown: readonly string[];
  /** Applied, and edited since. */
  readonly altered: readonly string[];
}

interface Options {
  /** Where the migrations are, when not in `migrations/`. */
  readonly folder?: string;
}

/**
 * Applies what is pending and returns its ids. Any number of processes may do so at once: each migration is applied
 * once, and each wholly or not at all. Throws MigrationError, and changes nothing, when history does not agree.
 */
export async function migrate(url: string, options: Options = {}): Promise<readonly string[]> {
  const migrations = readMigrations(options.folder);
  return migrationSession(url, async (session) => {
    const { pending, ...status } = compare(migrations, await session.applied());
    refuseOtherHistory(status);
    const applied: string[] = [];
    for (const migration of migrations.filter(({ id }) => pending.includes(id))) {
      if (await session.apply(migration)) applied.push(migration.id);
    }
    return applied;
  });
}

export async function migrationStatus(
  database: Database,
  options: Options = {},
): Promise<MigrationStatus> {
  return compare(readMigrations(options.folder), await appliedMigrations(database));
}

async function appliedMigrations(database: Database): Promise<readonly AppliedMigration[]> {
  try {
    return await database.selectFrom('schema_migrations').select(['id', 'checksum']).execute();
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

function compare(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationStatus {
  const checksums = new Map(applied.map(({ id, checksum }) => [id, checksum]));
  const ids = migrations.map(({ id }) => id);
  return {
    applied: ids.filter((id) => checksums.has(id)),
    pending: ids.filter((id) => !checksums.has(id)),
    unknown: [...checksums.keys()].filter((id) => !ids.includes(id)).toSorted(),
    altered: migrations
      .filter(({ id, checksum }) => checksums.has(id) && checksums.get(id) !== checksum)
      .map(({ id }) => id),
  };
}

function refuseOtherHistory({
  unknown,
  altered,
}: Pick<MigrationStatus, 'unknown' | 'altered'>): void {
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has migrations that this code does not have: ${unknown.join(', ')}. Run the code that made them, or use another database.`,
    );
  }
  if (altered.length > 0) {
    throw new MigrationError(
      `Migrations were edited after they had been applied: ${altered.join(', ')}. Restore them, and put the change into a new one.`,
    );
  }
}
