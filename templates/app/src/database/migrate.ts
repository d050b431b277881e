/** The program beside this file applies migrations. It also runs without this server. */
export {
  inspect,
  migrate,
  MigrationError,
  readStatus,
  refusePending,
  runAsCommand,
} from '../../migrations/migrate.js';
export type { DataMigration } from '../../migrations/migrate.js';
