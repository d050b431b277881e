import { type DatabaseSync, openFile as open } from '../../migrations/migrate.js';
import { checkTime } from './time-limit.ts';

export { databaseFile, makeFile } from '../../migrations/migrate.js';
export type { Column, DatabaseSync, StatementSync } from '../../migrations/migrate.js';

/** A connection like that of migrations, with a time limit for statements. Your own pragmas go here. */
export function openFile(file: string, options?: Parameters<typeof open>[1]): DatabaseSync {
  const connection = open(file, options);
  connection.function('in_time', { deterministic: false }, checkTime);
  return connection;
}
