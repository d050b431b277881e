import type { FastifyInstance } from 'fastify';
import { html, sendHtml, style, stylePath } from './page.ts';

/** What people see in a browser, in development. */
export async function addPages(app: FastifyInstance): Promise<void> {
  if (app.config.environment === 'production') return;
  app.get(stylePath, hidden, async (_request, reply) =>
    reply.header('cache-control', 'max-age=3600').type('text/css; charset=utf-8').send(style),
  );
  addHome(app);
}

const hidden = { schema: { hide: true } };

function addHome(app: FastifyInstance): void {
  const { name, description, docs, version } = app.config;
  const links = {
    ...(docs && { docs: '/docs', openapi: '/openapi.json' }),
    health: '/health/ready',
  };
  const items = Object.values(links).map((path) => html`<li><a href="${path}">${path}</a></li>`);

  app.get('/', hidden, async ({ headers }, reply) => {
    reply.header('vary', 'accept');
    if (!headers.accept?.includes('text/html')) return { name, description, version, links };
    return sendHtml(
      reply,
      name,
      html`<h1>${name}</h1>
        <p>${description}</p>
        <p class="good">The server is up. This page is only available in development.</p>
        <ul>
          ${items}
        </ul>
        <p>The README shows how to call the API.</p>`,
    );
  });
}
