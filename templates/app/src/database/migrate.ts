import { migrate, refusePending } from '../../migrations/migrate.js';
import type { Config } from '../config.ts';

/** Migrations are applied by a program beside them, which runs without this server as well. */
export {
  inspect,
  migrate,
  MigrationError,
  readStatus,
  runAsCommand,
} from '../../migrations/migrate.js';
export type { DataMigration } from '../../migrations/migrate.js';

/**
 * Keeps the database up to date, and answers what was applied; in production that is a decision, `--migrate`: without it,
 * throws a MigrationError when there is something to apply.
 */
export async function prepareDatabase({
  databaseUrl,
  environment,
}: Pick<Config, 'databaseUrl' | 'environment'>): Promise<readonly string[]> {
  if (environment === 'production' && !process.argv.includes('--migrate')) {
    await refusePending(databaseUrl);
    return [];
  }
  // Said at once: the log begins with the app, and a migration may take a while.
  return migrate(databaseUrl, { report: (line) => process.stderr.write(`${line}\n`) });
}
