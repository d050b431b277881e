import { loadConfig, readEnvironment } from '../config.ts';
import { migrationStatus } from '../database/migrate.ts';
import { print, readOptions, runCommand, withConnection } from './command.ts';

/** Exits with 1 unless the database is exactly what the migrations make of it. */
await runCommand(async () => {
  readOptions('npm run db:status', {});
  const { databaseUrl } = loadConfig(readEnvironment());
  const status = await withConnection(databaseUrl, ({ database }) => migrationStatus(database));
  const { altered, pending, unknown } = status;
  for (const id of status.applied) print(`${altered.includes(id) ? 'altered' : 'applied'}  ${id}`);
  for (const id of unknown) print(`unknown  ${id}`);
  for (const id of pending) print(`pending  ${id}`);
  if (altered.length + pending.length + unknown.length > 0) process.exitCode = 1;
});
