import { readDatabaseUrl } from './database-url.ts';
import { startPostgres } from './embedded-postgres.ts';
import { whenAbandoned } from './run-program.ts';

/** A database to develop against, until Ctrl-C. */
const databaseUrl = readDatabaseUrl();
const server = await startPostgres({ url: databaseUrl, folder: 'var/postgres' });
process.stdout.write(
  `PostgreSQL answers at ${databaseUrl}\nCtrl-C stops it; the data stays in var/postgres.\n`,
);
const stop = async () => {
  await server.stop();
  process.exit();
};
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, stop);
whenAbandoned(stop);
