/** Migrations are applied by a program beside them, which runs without this server as well. */
export {
  inspect,
  migrate,
  MigrationError,
  readStatus,
  refusePending,
  runAsCommand,
} from '../../migrations/migrate.js';
export type { DataMigration } from '../../migrations/migrate.js';
