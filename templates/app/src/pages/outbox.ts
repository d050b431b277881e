import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { mailFolder } from '../mail/mailer.ts';
import { html, type Html, sendPage } from './page.ts';

const shown = 50;

/** The mail that a developer's server has written instead of sending it, the newest first. */
export function addOutboxPage(app: FastifyInstance): void {
  const { mail, name } = app.config;

  app.get('/outbox', { schema: { hide: true } }, async (_request, reply) => {
    const files = mail.smtpUrl === '' ? await newestFiles() : [];
    const messages = await Promise.all(
      files.map((file) => readFile(join(mailFolder, file), 'utf8')),
    );
    const nothing =
      mail.smtpUrl === ''
        ? html`<p>No mail yet. Ask for one on <a href="/reset-password">Reset a password</a>.</p>`
        : html`<p>Mail is sent by the server at <code>SMTP_URL</code>.</p>`;
    return sendPage(
      reply,
      `Outbox of ${name}`,
      html`<h1>Outbox</h1>
        <p>
          Mail that <a href="/">${name}</a> has written to <code>${mailFolder}</code>. Reload to see
          what is new.
        </p>
        ${messages.length === 0 ? nothing : messages.map(article)}`,
    );
  });
}

/** The names begin with the time. */
async function newestFiles(): Promise<readonly string[]> {
  const files = await readdir(mailFolder).catch((): string[] => []);
  return files
    .filter((file) => file.endsWith('.eml'))
    .toSorted()
    .toReversed()
    .slice(0, shown);
}

function article(message: string): Html {
  const [head = '', ...paragraphs] = message.split('\n\n');
  const headers = new Map(head.split('\n').map((line) => [line.split(': ', 1)[0], line]));
  const value = (header: string) => headers.get(header)?.slice(header.length + 2) ?? '';
  return html`<article>
    <dl>
      <dt>To</dt>
      <dd>${value('To')}</dd>
      <dt>Subject</dt>
      <dd><strong>${value('Subject')}</strong></dd>
      <dt>Date</dt>
      <dd>${value('Date')}</dd>
    </dl>
    <pre>
${paragraphs
        .join('\n\n')
        .split(/(https?:\/\/\S+)/)
        .map(linked)}</pre>
  </article> `;
}

/** Every second part is an address. */
function linked(part: string, index: number): Html {
  return index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`;
}
