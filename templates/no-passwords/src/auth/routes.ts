import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Problem, unauthorized } from '../lib/problem.ts';
import { currentUser } from '../lib/request.ts';
import { shownTo } from '../lib/rows.ts';
import { updateUser } from '../users/queries.ts';
import { users } from '../users/schema.ts';
import { refreshLogin } from './login.ts';
import { operations } from './schema.ts';
import { endSession } from './sessions.ts';

export async function authRoutes(server: FastifyInstance): Promise<void> {
  const app = server.withTypeProvider<TypeBoxTypeProvider>();

  app.addHook('onRoute', (route) => {
    route.bodyLimit = 16 * 1024;
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  await app.register(tokenRoutes);

  app.post(
    '/logout',
    { onRequest: app.authenticate, schema: operations.logout },
    async (request, reply) => {
      await endSession(app.database, request.sessionId);
      request.log.info({ event: 'logout', user: currentUser(request).id });
      return reply.code(204).send();
    },
  );

  app.get('/me', { onRequest: app.authenticate, schema: operations.readMe }, async (request) => {
    const user = currentUser(request);
    return shownTo(app.reader, users, { viewer: user, row: user }).catch(refuseDeleted);
  });

  app.patch(
    '/me',
    { onRequest: app.authenticate, schema: operations.updateMe },
    async (request) => {
      const viewer = currentUser(request);
      const asked = { viewer, id: viewer.id, self: () => viewer };
      const user = await updateUser(app.database, asked, request.body).catch(refuseDeleted);
      return shownTo(app.database, users, { viewer, row: user });
    },
  );
}

/** The routes that OAuth 2 clients call: they send forms and expect errors in their own format. */
async function tokenRoutes(server: FastifyInstance): Promise<void> {
  const app = server.withTypeProvider<TypeBoxTypeProvider>();

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body: string, done) => done(null, parseForm(body)),
  );

  app.post(
    '/refresh',
    { config: { oauth: true }, onRequest: app.limitRate('refresh'), schema: operations.refresh },
    async (request) => {
      const { user, session, pair, isReused } = await refreshLogin(app, request.body.refresh_token);
      if (isReused) request.log.warn({ event: 'refresh_reuse_detected', user, session });
      if (!pair) throw new Problem(401, 'invalid_refresh_token', 'Log in again.');
      request.log.info({ event: 'refresh', user, session });
      return pair;
    },
  );
}

/** A parameter that is sent twice becomes a list, which no schema here accepts. */
function parseForm(body: string): Readonly<Record<string, string | readonly string[]>> {
  const form = new Map<string, string | readonly string[]>();
  for (const [name, value] of new URLSearchParams(body))
    form.set(name, form.has(name) ? [value] : value);
  return Object.fromEntries(form);
}

/** The account may have been deleted since its token was checked. */
function refuseDeleted(error: unknown): never {
  const isDeleted = error instanceof Problem && error.status === 404;
  throw isDeleted ? unauthorized('The account was deleted.') : error;
}
