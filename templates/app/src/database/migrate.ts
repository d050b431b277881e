/** Migrations are applied by the program beside them, which also runs without this server. */
export {
  inspect,
  migrate,
  MigrationError,
  readStatus,
  refusePending,
  runAsCommand,
} from '../../migrations/migrate.js';
export type { DataMigration } from '../../migrations/migrate.js';
