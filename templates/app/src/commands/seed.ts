import { loadConfig, readEnvironment } from '../config.ts';
import { openHasher } from '../auth/passwords.ts';
import { seed, seedPassword } from '../database/seed.ts';
import { print, readOptions, runCommand, UsageError, withDatabase } from './command.ts';

const usage = 'npm run db:seed -- [--count 100]';

await runCommand(async () => {
  const options = readOptions(usage, { count: { type: 'string', default: '100' } });
  const count = readCount(options.count);
  const config = loadConfig(readEnvironment());
  const password = await openHasher(config.auth).hash(seedPassword);
  const added = await withDatabase(config, ({ database, reader }) =>
    seed({ database, reader, count, password }),
  );
  for (const { name, rows } of added) print(`${String(rows).padStart(6)}  ${name}`);
  print(`Every new user's password is \`${seedPassword}\`.`);
});

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--count takes a number from 1 to 999999.\nUsage: ${usage}`);
}
