import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { isoTime } from '../database/values.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Deletes expired logins, counts and mail every hour. */
export function addCleanUp(app: FastifyInstance): void {
  const run = () => {
    cleanUp(app.database).catch((error: unknown) => {
      app.log.warn({ event: 'clean_up_failed', err: error });
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, hour).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

async function cleanUp(database: Database): Promise<void> {
  await database.deleteFrom('auth_sessions').where('expires_at', '<', isoTime()).execute();
  await database
    .deleteFrom('auth_limits')
    .where('started_at', '<', Date.now() - day)
    .execute();
  await database
    .deleteFrom('mail_outbox')
    .where('created_at', '<', isoTime(Date.now() - 7 * day))
    .execute();
}
