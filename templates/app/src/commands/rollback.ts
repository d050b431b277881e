import { loadConfig, readEnvironment } from '../config.ts';
import { hasDatabase } from '../database/client.ts';
import { rollback } from '../database/migrate.ts';
import { MigrationError } from '../database/migrations/error.ts';
import { print, readOptions, runCommand } from './command.ts';

await runCommand(async () => {
  readOptions('npm run db:rollback', {});
  const { databaseUrl } = loadConfig(readEnvironment());
  if (!hasDatabase(databaseUrl)) throw new MigrationError('No migration is applied.');
  const id = await rollback(databaseUrl, { report: print });
  print(`Took ${id} back; \`npm run db:migrate\` applies it again.`);
});
