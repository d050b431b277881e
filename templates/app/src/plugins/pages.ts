import type { FastifyInstance } from 'fastify';
import { addHome } from '../pages/home.ts';
import { addOutboxPage } from '../pages/outbox.ts';
import { style, stylePath } from '../pages/page.ts';
import { resetPasswordPage } from '../pages/reset-password.ts';

/** What people see in a browser. In production that is the page that resets a password, if there is no other one. */
export async function addPages(app: FastifyInstance): Promise<void> {
  const { environment, servesResetPage } = app.config;
  const isForDevelopers = environment !== 'production';

  if (isForDevelopers || servesResetPage) {
    app.get(stylePath, { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', 'max-age=3600').type('text/css; charset=utf-8').send(style),
    );
  }
  if (servesResetPage) await app.register(resetPasswordPage);
  if (isForDevelopers) {
    addHome(app);
    addOutboxPage(app);
  }
}
