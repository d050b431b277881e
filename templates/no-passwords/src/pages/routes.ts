import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { mailFolder } from '../mail/outbox.ts';
import { html, type Html, sendHtml, style, stylePath } from './page.ts';

/** What people see in a browser, in development. */
export async function addPages(app: FastifyInstance): Promise<void> {
  if (app.config.environment === 'production') return;
  app.get(stylePath, hidden, async (_request, reply) =>
    reply.header('cache-control', 'max-age=3600').type('text/css; charset=utf-8').send(style),
  );
  addHome(app);
  addOutboxPage(app);
}

const hidden = { schema: { hide: true } };

function addHome(app: FastifyInstance): void {
  const { name, description, docs, version } = app.config;
  const links = {
    ...(docs && { docs: '/docs', openapi: '/openapi.json' }),
    health: '/health/ready',
    outbox: '/outbox',
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
        <p>The README shows how to make a user and call the API.</p>`,
    );
  });
}

const shown = 50;

/** The mail that the server has written to files in development instead of sending it, newest first. */
function addOutboxPage(app: FastifyInstance): void {
  app.get('/outbox', hidden, async (_request, reply) => {
    const files = await readdir(mailFolder).catch((): string[] => []);
    // Their names begin with the time.
    const newest = files
      .filter((file) => file.endsWith('.eml'))
      .toSorted()
      .toReversed();
    const messages = await Promise.all(
      newest.slice(0, shown).map((file) => readFile(join(mailFolder, file), 'utf8')),
    );
    return sendHtml(
      reply,
      'Outbox',
      html`<h1>Outbox</h1>
        <p>
          Mail is written to <code>${mailFolder}</code> while <code>SMTP_URL</code> is not set.
          Reload to see what is new.
        </p>
        ${messages.map((message) => html`<pre>${linked(message)}</pre>`)}`,
    );
  });
}

/** Turns addresses into links: every second part of the split is one. */
function linked(message: string): readonly (string | Html)[] {
  const parts = message.split(/(https?:\/\/\S+)/);
  return parts.map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
