import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, readEnvironment } from '../src/config.ts';
import { openConnection } from '../src/database/client.ts';
import { migrate } from '../src/database/migrate.ts';
import { Role } from '../src/enums.ts';
import { seed } from './seed.ts';

/** The command was not called as it must be. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `npm run db:seed -- --count 50`: adds believable rows to a database of development. */
try {
  await run();
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function run(): Promise<void> {
  const { count } = readOptions();
  // No token is signed, so none needs the secret.
  const secret = { AUTH_SECRET_KEY: randomBytes(64).toString('hex') };
  const config = loadConfig({ ...readEnvironment(), ...secret });
  if (config.environment === 'production') {
    throw new UsageError(
      'Invented rows, an admin among them, do not belong in production: nothing was added. `node dist/cli.js create-user` makes a first admin.',
    );
  }
  await migrate(config.databaseUrl, { report: warn });
  const { database, close } = openConnection(config);
  try {
    for (const { table, rows, wanted } of await seed(database, { count })) {
      const full = rows < wanted ? ': a unique constraint allows no more' : '';
      print(`${String(rows).padStart(6)}  ${table}${full}`);
    }
    print('There is a user for each role:');
    for (const role of Role) print(`        ${role.toLowerCase()}@example.com`);
  } finally {
    await close();
  }
}

function readOptions() {
  const usage = 'Usage: npm run db:seed -- [--count 100]';
  const { count } = parsed(usage);
  if (!/^[1-9]\d{0,5}$/.test(count)) {
    throw new UsageError(`--count takes a number from 1 to 999999.\n${usage}`);
  }
  return { count: Number(count) };
}

function parsed(usage: string) {
  try {
    const { values } = parseArgs({
      options: {
        count: { type: 'string', default: '100' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
