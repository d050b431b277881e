import type { FastifyInstance } from 'fastify';
import { readStatus } from '../database/migrate.ts';
import { Problem, problems } from '../lib/problem.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** True once the server has been asked to stop; it then reports that it is not ready. */
    readonly stopping: { isAsked: boolean };
  }
}

const shape = {
  title: 'Health',
  description: 'The server is healthy.',
  type: 'object',
  required: ['status', 'version'],
  properties: {
    status: {
      type: 'string',
      enum: ['ok'],
      description: 'Anything else is answered as a problem, with 503.',
    },
    version: { type: 'string', description: 'Of this server, as its `package.json` has it.' },
  },
};

const live = {
  operationId: 'isLive',
  summary: 'Is the process alive?',
  description: 'Responds as long as the process is running.',
  tags: ['health'],
  security: [],
  response: { 200: shape, ...problems() },
};
const ready = {
  ...live,
  operationId: 'isReady',
  summary: 'Is the server ready?',
  description:
    'Its database answers and is migrated, and it was not asked to stop. Otherwise 503: `unavailable`, `migrations_pending` or `stopping`.',
};

export function addHealth(app: FastifyInstance): void {
  const status = { status: 'ok', version: app.config.version };
  const stopping = { isAsked: false };
  let isMigrated = false;
  app.decorate('stopping', stopping);

  app.get('/health/live', { schema: live }, async () => status);

  app.get('/health/ready', { schema: ready }, async () => {
    if (stopping.isAsked) throw unready('stopping', 'The server is stopping.');
    await app.connection.ping();
    isMigrated ||= (await readStatus(app.config.databaseUrl)).pending.length === 0;
    if (!isMigrated) throw unready('migrations_pending', 'Migrations are pending.');
    return status;
  });
}

function unready(code: string, detail: string): Problem {
  return new Problem(503, code, detail, { headers: { 'retry-after': '5' } });
}
