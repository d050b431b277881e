import type { FastifyInstance } from 'fastify';
import { migrationStatus } from '../database/migrate.ts';
import { problems } from '../lib/operations/problems.ts';
import { Problem } from '../lib/problem.ts';

const status = { status: 'ok' };
const shape = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

const live = {
  operationId: 'isLive',
  summary: 'Is the process alive?',
  tags: ['health'],
  response: { 200: shape, ...problems() },
};
const ready = { ...live, operationId: 'isReady', summary: 'Can it serve?' };

/** For whatever runs the server: is the process alive, and can it serve? */
export function addHealth(app: FastifyInstance): void {
  let isMigrated = false;

  app.get('/health/live', { schema: live }, async () => status);

  app.get('/health/ready', { schema: ready }, async () => {
    await app.connection.ping();
    isMigrated ||= (await migrationStatus(app.database)).pending.length === 0;
    if (!isMigrated) throw new Problem(503, 'migrations_pending', 'Migrations are pending.');
    return status;
  });
}
