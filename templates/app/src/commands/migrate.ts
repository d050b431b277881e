import { loadConfig, readEnvironment } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { print, readOptions, runCommand } from './command.ts';

await runCommand(async () => {
  readOptions('npm run db:migrate', {});
  const { databaseUrl } = loadConfig(readEnvironment());
  const applied = await migrate(databaseUrl, { report: print });
  for (const id of applied) print(`Applied ${id}.`);
  if (applied.length === 0) print('Nothing to apply: the database is up to date.');
});
