import { loadConfig, readEnvironment } from '../config.ts';
import { rollback } from '../database/migrate.ts';
import { print, readOptions, runCommand } from './command.ts';

await runCommand(async () => {
  readOptions('npm run db:rollback', {});
  const { databaseUrl } = loadConfig(readEnvironment());
  const id = await rollback(databaseUrl, { report: print });
  print(`Took ${id} back; \`npm run db:migrate\` applies it again.`);
});
