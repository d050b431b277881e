import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Connection, Database } from './database/client.ts';
import { emails } from './emails.ts';
import { addOutbox, type Mailer, openMailer } from './mail/outbox.ts';
import { addPages } from './pages/routes.ts';
import { addAuthentication, addCleanUp } from './plugins/authentication.ts';
import { addErrors } from './plugins/errors.ts';
import { addRequestLog, loggerOptions } from './plugins/logging.ts';
import { addOpenapi } from './plugins/openapi.ts';
import { addRateLimits } from './plugins/rate-limits.ts';
import { addSecurity, serverOptions } from './plugins/security.ts';
import { addHealth, addMetrics, addTracing } from './plugins/telemetry.ts';
import { addValidation, validationOptions } from './plugins/validation.ts';
import { addRoutes } from './routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly config: Config;
    readonly connection: Connection;
    readonly database: Database;
    /** For reads that need no transaction. */
    readonly reader: Database;
  }
}

export interface AppParts {
  readonly config: Config;
  /** Stays open when the app closes: whoever opened it closes it. */
  readonly connection: Connection;
  readonly mailer?: Mailer;
}

export async function buildApp({ config, connection, mailer }: AppParts): Promise<FastifyInstance> {
  const app = Fastify({
    ...serverOptions(config),
    ...loggerOptions(config),
    ...validationOptions(config),
  });

  app.decorate('config', config);
  app.decorate('connection', connection);
  app.decorate('database', connection.database);
  app.decorate('reader', connection.reader);

  addTracing(app);
  addRequestLog(app);
  await addMetrics(app);
  await addSecurity(app);
  addErrors(app);
  addValidation(app);
  addRateLimits(app);
  addAuthentication(app);
  addOutbox(app, { emails, mailer: mailer ?? openMailer(config.mail, app.log) });
  addCleanUp(app);
  await addOpenapi(app);

  await app.register(addRoutes);
  // Your own routes go here: `await app.register(myRoutes, { prefix: '/my-path' });`
  addHealth(app);
  await addPages(app);

  await app.ready();
  return app;
}
