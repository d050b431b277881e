import type { FastifyInstance } from 'fastify';
import { migrationStatus } from '../database/migrate.ts';
import { Problem } from '../lib/problem.ts';

const status = { status: 'ok' };
const tags = ['health'];

/** For whatever runs the server: is the process alive, and can it serve? */
export function addHealth(app: FastifyInstance): void {
  let isMigrated = false;

  app.get(
    '/health/live',
    { schema: { tags, summary: 'Is the process alive?' } },
    async () => status,
  );

  app.get('/health/ready', { schema: { tags, summary: 'Can it serve?' } }, async () => {
    await app.connection.ping();
    isMigrated ||= (await migrationStatus(app.database)).pending.length === 0;
    if (!isMigrated) throw new Problem(503, 'migrations_pending', 'Migrations are pending.');
    return status;
  });
}
