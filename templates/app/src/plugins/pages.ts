import type { FastifyInstance } from 'fastify';
import { addEmailPages } from '../pages/change-email.ts';
import { addHome } from '../pages/home.ts';
import { addOutboxPage } from '../pages/outbox.ts';
import { style, stylePath } from '../pages/page.ts';
import { addResetPage } from '../pages/reset-password.ts';

/** What people see in a browser. In production that is where the links of mails lead. */
export async function addPages(app: FastifyInstance): Promise<void> {
  app.get(stylePath, { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'max-age=3600').type('text/css; charset=utf-8').send(style),
  );
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    );
    addEmailPages(pages);
    if (app.config.servesResetPage) addResetPage(pages);
  });
  if (app.config.environment === 'production') return;
  addHome(app);
  addOutboxPage(app);
}
