import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { system } from '../lib/access.ts';
import { badRequest, Problem } from '../lib/problem.ts';
import { canonicalEmail } from '../database/values.ts';
import { currentUser } from '../plugins/authentication.ts';
import { createUser, updateUser } from '../users/queries.ts';
import { changePassword, findByResetToken, resetPassword } from './change-password.ts';
import { checkPassword, logIn, refreshLogin } from './login.ts';
import { operations } from './operations.ts';
import { enqueueMail } from './outbox.ts';
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
    '/register',
    { onRequest: app.limitRate('register'), schema: operations.register },
    async (request, reply) => {
      const { database, hasher } = app;
      const creation = createUser(database, hasher, { viewer: system }, request.body);
      const user = await creation.catch(refuseTakenEmail);
      request.log.info({ event: 'register', user: user.id });
      return reply.code(201).send(user);
    },
  );

  app.post(
    '/forgot-password',
    { onRequest: app.limitRate('forgot_password'), schema: operations.forgotPassword },
    async (request) => {
      const email = canonicalEmail(request.body.email);
      // Known or not, the address is noted: whether there is an account is found when the mail is sent.
      if ((await app.rateLimits.count('mailbox', email)) <= 1) {
        await enqueueMail(app.database, { kind: 'reset_password', recipient: email });
        app.outbox.wake();
      }
      request.log.info({ event: 'reset_requested' });
      return { message: 'If there is an account with this address, a mail is on its way.' };
    },
  );

  app.post('/forgot-password/validate', { schema: operations.validateToken }, async (request) => {
    const { email } = await findByResetToken(app.database, request.body.token);
    return { valid: true as const, email };
  });

  app.post('/reset-password', { schema: operations.resetPassword }, async (request) => {
    const user = await resetPassword(app, request.body);
    request.log.info({ event: 'reset_done', user: user.id });
    return { message: 'The password is changed. Log in with the new one.' };
  });

  app.post(
    '/change-password',
    { onRequest: app.authenticate, schema: operations.changePassword },
    async (request, reply) => {
      const { current_password, password } = request.body;
      const { email } = currentUser(request);
      const attempt = { email, password: current_password, address: request.ip };
      const user = await checkPassword(app, attempt);
      await changePassword(app, user, { password, session: request.sessionId });
      request.log.info({ event: 'password_changed', user: user.id });
      return reply.code(204).send();
    },
  );

  app.post(
    '/logout',
    { onRequest: app.authenticate, schema: operations.logout },
    async (request, reply) => {
      await endSession(app.database, request.sessionId);
      request.log.info({ event: 'logout', user: currentUser(request).id });
      return reply.code(204).send();
    },
  );

  app.get('/me', { onRequest: app.authenticate, schema: operations.readMe }, async (request) =>
    currentUser(request),
  );

  app.patch(
    '/me',
    { onRequest: app.authenticate, schema: operations.updateMe },
    async (request) => {
      const { id } = currentUser(request);
      const asked = { viewer: system, id, session: request.sessionId };
      return updateUser(app.database, asked, request.body);
    },
  );
}

/** What OAuth 2 clients call: they send forms and expect errors of their own. */
async function tokenRoutes(server: FastifyInstance): Promise<void> {
  const app = server.withTypeProvider<TypeBoxTypeProvider>();

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body: string, done) => done(null, parseForm(body)),
  );

  app.post('/token', { config: { oauth: true }, schema: operations.logIn }, async (request) => {
    const { username: email, password } = request.body;
    const user = await checkPassword(app, { email, password, address: request.ip });
    request.log.info({ event: 'login_ok', user: user.id });
    return logIn(app, user);
  });

  app.post(
    '/refresh',
    { config: { oauth: true }, onRequest: app.limitRate('refresh'), schema: operations.refresh },
    async (request) => {
      const { session, pair, isReused } = await refreshLogin(app, request.body.refresh_token);
      if (isReused) request.log.warn({ event: 'refresh_reuse_detected', session });
      if (!pair) throw new Problem(401, 'invalid_refresh_token', 'Log in again.');
      request.log.info({ event: 'refresh', session });
      return pair;
    },
  );
}

/** A parameter that is sent twice becomes a list, which no schema here accepts. */
function parseForm(body: string): Readonly<Record<string, string | readonly string[]>> {
  const form = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Elsewhere an address that is taken is a conflict; clients of a registration expect this. */
function refuseTakenEmail(error: unknown): never {
  const isTaken =
    error instanceof Problem &&
    error.errors?.some(({ code, pointer }) => code === 'taken' && pointer === '#/email');
  throw isTaken
    ? badRequest('email_taken', 'There is an account with this address already.')
    : error;
}
