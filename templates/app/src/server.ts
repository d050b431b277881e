import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import {
  type Config,
  ConfigError,
  loadConfig,
  productionRisks,
  readEnvironment,
} from './config.ts';
import { type Connection, openConnection } from './database/client.ts';
import { violation } from './database/errors.ts';
import { migrate, MigrationError, refusePending } from './database/migrate.ts';

/** How long open requests may take once the server is stopping. */
const stopMilliseconds = 7000;
/** How long it takes to write the log. */
const logMilliseconds = 100;

try {
  await start();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = loadConfig(readEnvironment());
  const connection = openConnection(config);
  const applied = await prepareDatabase(config);
  await connection.ping();
  const app = await buildApp({ config, connection });
  for (const id of applied) app.log.info({ event: 'migrated', id }, `Applied migration ${id}`);
  stopWhenAsked(app, connection);
  if (config.environment === 'production') warnOfRisks(app);
  const address = await app.listen({ host: config.host, port: config.port });
  if (config.docs) app.log.info(`Docs at ${address}/docs`);
}

function warnOfRisks({ config, log }: FastifyInstance): void {
  const risks = productionRisks(config);
  if (risks.length > 0) log.warn({ event: 'production_risks', risks }, risks.join(' '));
}

/** In development, applies pending migrations; in production, only with `--migrate`. */
async function prepareDatabase({ databaseUrl, environment }: Config): Promise<readonly string[]> {
  if (environment !== 'production' || process.argv.includes('--migrate')) {
    // Printed at once: the log begins with the app, and a migration may take a while.
    return migrate(databaseUrl, { report: (line) => process.stderr.write(`${line}\n`) });
  }
  await refusePending(databaseUrl);
  return [];
}

/** Finishes open requests, then exits with 0, or with 1 after an uncaught error. */
function stopWhenAsked(app: FastifyInstance, connection: Connection): void {
  let isStopping = false;
  const stop = async (exitCode: number) => {
    // A second signal ends it at once.
    if (isStopping) process.exit(exitCode);
    isStopping = true;
    await letClientsGo(app);
    setTimeout(() => app.server.closeAllConnections(), stopMilliseconds).unref();
    await app.close();
    await connection.close().catch(async (error: unknown) => {
      app.log.error({ event: 'not_stopped', err: error });
      await sleep(logMilliseconds);
      // `process.exit` would wait for what is still running.
      process.kill(process.pid, 'SIGKILL');
    });
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      app.log.info({ event: 'stopping', signal }, 'Stopping');
      void stop(0);
    });
  }
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      app.log.fatal({ event: fault, err: error });
      void stop(1);
    });
  }
}

/**
 * Load balancers see that this server is no longer ready, and each answer tells its client to close the connection, so
 * that nobody sends a request on one that is being closed.
 */
async function letClientsGo({ config, server, stopping }: FastifyInstance): Promise<void> {
  stopping.isAsked = true;
  if (config.environment !== 'production') return;
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close');
  });
  await sleep(config.drainMs);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}: something else listens there. Set PORT to another one.`;
  }
  if (violation(error)?.kind === 'unavailable') {
    return `The database at DATABASE_URL does not answer: ${error.message}`;
  }
  return error.stack ?? error.message;
}
