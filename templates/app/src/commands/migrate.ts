import { loadConfig, readEnvironment } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { print, readOptions, runCommand, UsageError } from './command.ts';

const usage = 'npm run db:migrate -- [--wait <seconds>]';

await runCommand(async () => {
  const { wait } = readOptions(usage, { wait: { type: 'string' } });
  const patience = wait === undefined ? {} : { patience: 1000 * readSeconds(wait) };
  const { databaseUrl } = loadConfig(readEnvironment());
  const applied = await migrate(databaseUrl, { report: print, ...patience });
  for (const id of applied) print(`Applied ${id}.`);
  if (applied.length === 0) print('Nothing to apply: the database is up to date.');
});

function readSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`--wait takes a number of seconds.\nUsage: ${usage}`);
}
