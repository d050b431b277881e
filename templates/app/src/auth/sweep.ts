import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';

const hour = 3_600_000;

/** Deletes, now and then, what is too old to mean anything. */
export function addSweep(app: FastifyInstance): void {
  const run = () => {
    sweep(app.database).catch((error: unknown) => {
      app.log.warn({ event: 'sweep_failed', err: error });
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, hour).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

async function sweep(database: Database): Promise<void> {
  await database.deleteFrom('auth_sessions').where('expires_at', '<', hoursAgo(0)).execute();
  await database.deleteFrom('auth_reset_tokens').where('expires_at', '<', hoursAgo(0)).execute();
  await database
    .deleteFrom('auth_rate_limits')
    .where('window_started_at', '<', hoursAgo(24))
    .execute();
  await database
    .deleteFrom('mail_outbox')
    .where('created_at', '<', hoursAgo(7 * 24))
    .execute();
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * hour).toISOString();
}
