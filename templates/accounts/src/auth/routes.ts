import { createHmac } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { canonicalEmail } from '../database/values.ts';
import { Problem, unauthorized } from '../lib/problem.ts';
import { currentUser } from '../lib/request.ts';
import { shownTo } from '../lib/rows.ts';
import { queueEmail } from '../mail/outbox.ts';
import { type Credentials, emailTaken } from '../users/credentials.ts';
import { createUser, updateUser } from '../users/queries.ts';
import { type UserId, users } from '../users/schema.ts';
import { changePassword, moveAccount, requestEmailChange, resetPassword } from './account.ts';
import { checkPassword, logIn, refreshLogin } from './login.ts';
import { findToken, isHeldForRevert } from './mailed-tokens.ts';
import { operations } from './schema.ts';
import { endSession } from './sessions.ts';

export async function authRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.bodyLimit = 16 * 1024;
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  await app.register(accountRoutes);
  await app.register(tokenRoutes);
  await app.register(passwordRoutes);
  await app.register(emailRoutes, { prefix: '/change-email' });
}

async function accountRoutes(server: FastifyInstance): Promise<void> {
  const app = server.withTypeProvider<TypeBoxTypeProvider>();

  app.post(
    '/register',
    { onRequest: app.limitRate('register'), schema: operations.register },
    async (request, reply) => {
      const { database, hasher } = app;
      const email = canonicalEmail(request.body.email);
      logAccount(request, email);
      if (await isHeldForRevert(database, email)) throw emailTaken();
      const asked = { viewer: null, self: (id: UserId | 0) => ({ id, role: 'user' }) };
      const creation = createUser(database, hasher, asked, request.body);
      const user = await creation.catch(refuseTakenEmail);
      request.log.info({ event: 'register', user: user.id });
      return reply.code(201).send(await shownTo(database, users, { viewer: user, row: user }));
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

  app.post('/token', { config: { oauth: true }, schema: operations.logIn }, async (request) => {
    const { username, password } = request.body;
    const email = canonicalEmail(username);
    logAccount(request, email);
    const user = await checkPassword(app, { email, password, address: request.ip });
    const pair = await logIn(app, user, request.ip);
    request.log.info({ event: 'login_ok', user: user.id });
    return pair;
  });

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

async function passwordRoutes(server: FastifyInstance): Promise<void> {
  const app = server.withTypeProvider<TypeBoxTypeProvider>();

  app.post(
    '/forgot-password',
    { onRequest: app.limitRate('forgot_password'), schema: operations.forgotPassword },
    async (request) => {
      const { database, outbox, rateLimits } = app;
      const email = canonicalEmail(request.body.email);
      logAccount(request, email);
      const isGranted =
        (await rateLimits.tryTake('mailbox', email)) &&
        (await rateLimits.tryTake('mailbox_hourly', email));
      // Every address is queued, known or not: whether it has an account is looked up when the mail is sent.
      if (isGranted) {
        await queueEmail(database, { to: email, template: 'reset_password', payload: {} });
        outbox.wake();
      }
      const reason = isGranted ? undefined : 'No mail: the limit of this address is reached.';
      request.log.info({ event: 'reset_requested', reason });
      return { message: 'If there is an account with this address, a mail is on its way.' };
    },
  );

  app.post('/forgot-password/validate', { schema: operations.validateToken }, async (request) => {
    const { user } = await findToken(app.database, 'reset_password', request.body.token);
    return { valid: true as const, email: user.email };
  });

  app.post('/reset-password', { schema: operations.resetPassword }, async (request) => {
    const user = await resetPassword(app, { ...request.body, address: request.ip });
    request.log.info({ event: 'reset_done', user: user.id });
    return { message: 'The password is changed. Log in with the new one.' };
  });

  app.post(
    '/change-password',
    { onRequest: app.authenticate, schema: operations.changePassword },
    async (request, reply) => {
      const { current_password, password } = request.body;
      const user = await checkOwnPassword(request, current_password);
      await changePassword(app, user, { password, session: request.sessionId });
      request.log.info({ event: 'password_changed', user: user.id });
      return reply.code(204).send();
    },
  );
}

/** An address is changed by someone who knows the password and reads the mail of the new address. */
async function emailRoutes(server: FastifyInstance): Promise<void> {
  const app = server.withTypeProvider<TypeBoxTypeProvider>();

  app.post(
    '/',
    {
      onRequest: [app.authenticate, app.limitRate('change_email_from')],
      schema: operations.changeEmail,
    },
    async (request) => {
      const { body, sessionId: session } = request;
      const user = await checkOwnPassword(request, body.current_password);
      await app.rateLimits.take('change_email', String(user.id));
      const wanted = canonicalEmail(body.email);
      // Others may have asked for this address: whoever asks now does not learn how many.
      if (wanted !== user.email && (await app.rateLimits.tryTake('change_email_to', wanted))) {
        await requestEmailChange(app, user, { email: wanted, session });
      }
      request.log.info({ event: 'email_change_requested', user: user.id });
      return { message: 'A mail is on its way to the new address, to confirm it.' };
    },
  );

  app.post('/confirm', { schema: operations.confirmEmail }, async (request) => {
    const user = await moveAccount(app, 'confirm_email', request.body.token);
    request.log.info({ event: 'email_changed', user: user.id });
    return { message: 'The address is changed.' };
  });

  app.post('/revert', { schema: operations.revertEmail }, async (request) => {
    const user = await moveAccount(app, 'revert_email', request.body.token);
    request.log.warn({ event: 'email_reverted', user: user.id });
    return { message: 'The old address is back. A mail to choose a new password is on its way.' };
  });
}

function checkOwnPassword(request: FastifyRequest, password: string): Promise<Credentials> {
  const { ip: address, server, sessionId: session } = request;
  const { email } = currentUser(request);
  logAccount(request, email);
  return checkPassword(server, { email, password, address, session });
}

/** A parameter that is sent twice becomes a list, which no schema here accepts. */
function parseForm(body: string): Readonly<Record<string, string | readonly string[]>> {
  const form = new Map<string, string | readonly string[]>();
  for (const [name, value] of new URLSearchParams(body))
    form.set(name, form.has(name) ? [value] : value);
  return Object.fromEntries(form);
}

function refuseTakenEmail(error: unknown): never {
  const isTaken =
    error instanceof Problem &&
    error.errors?.some(({ code, pointer }) => code === 'taken' && pointer === '#/email');
  throw isTaken ? emailTaken() : error;
}

/** The account may have been deleted since its token was checked. */
function refuseDeleted(error: unknown): never {
  const isDeleted = error instanceof Problem && error.status === 404;
  throw isDeleted ? unauthorized('The account was deleted.') : error;
}

/** Tags this request's log lines with a keyed hash of the account, so that the log reveals no address. */
function logAccount(request: FastifyRequest, email: string): void {
  const { secretKey } = request.server.config.auth;
  const account = createHmac('sha256', secretKey).update(`account ${email}`).digest('base64url');
  request.log = request.log.child({ account: account.slice(0, 16) });
}
