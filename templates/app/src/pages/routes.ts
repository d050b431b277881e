import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { mailedPages } from '../config.ts';
import { mailFolder } from '../mail/outbox.ts';
import { callApi, html, type Html, notice, sendHtml, style, stylePath, textsIn } from './page.ts';

/** What people see in a browser; in production, only the pages that links in mail lead to. */
export async function addPages(app: FastifyInstance): Promise<void> {
  app.get(stylePath, hidden, async (_request, reply) =>
    reply.header('cache-control', 'max-age=3600').type('text/css; charset=utf-8').send(style),
  );
  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    );
    for (const page of emailPages) addEmailPage(pages, page);
    if (app.config.servesResetPage) addResetPage(pages);
  });
  if (app.config.environment === 'production') return;
  addHome(app);
  addOutboxPage(app);
}

const hidden = { schema: { hide: true } };

/** Until there is a front end: one form asks for the mail, another one, where its link leads, for the new password. */
function addResetPage(app: FastifyInstance): void {
  const { auth, name } = app.config;

  app.get(mailedPages.resetPassword, hidden, async (request, reply) => {
    const { token } = textsIn(request.query);
    if (token === undefined) return show(reply, askForMail);
    const found = await callApi(reply, '/forgot-password/validate', { token });
    return found.isGood
      ? show(reply, askForPassword(token, found.email))
      : show(reply, html`${found.text}${askForMail}`);
  });

  app.post(mailedPages.resetPassword, hidden, async (request, reply) => {
    const { email = '', token, password = '' } = textsIn(request.body);
    if (token === undefined) {
      const { isGood, text } = await callApi(reply, '/forgot-password', { email });
      return show(reply, isGood ? text : html`${text}${askForMail}`);
    }
    const { isGood, text } = await callApi(reply, '/reset-password', { token, password });
    return show(reply, isGood ? text : html`${text}${askForPassword(token, email)}`);
  });

  function show(reply: FastifyReply, body: Html): FastifyReply {
    return sendHtml(
      reply,
      `Reset your ${name} password`,
      html`<h1>Reset your password</h1>
        ${body}`,
    );
  }

  function askForPassword(token: string, email: string): Html {
    return html`<form method="post" action="${mailedPages.resetPassword}">
      <input type="hidden" name="token" value="${token}" />
      <label for="email">Account</label>
      <input id="email" name="email" value="${email}" autocomplete="username" readonly />
      <label for="password">New password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="${auth.passwordMinLength}"
        required
        autofocus
      />
      <button>Set the password</button>
    </form>`;
  }
}

const askForMail = html`<form method="post" action="${mailedPages.resetPassword}">
  <label for="email">Email address of your account</label>
  <input id="email" name="email" type="email" autocomplete="username" required autofocus />
  <button>Send me a link</button>
</form>`;

/**
 * Where the links in mails about a new address lead: to a button, because programs that scan mail open its links, too.
 * Each page makes one call of the API.
 */
const emailPages = [
  {
    path: mailedPages.confirmEmail,
    call: '/change-email/confirm',
    title: 'Confirm your new address',
    text: 'We will send account mail to this address, and you will use it to log in.',
    button: 'Confirm the address',
  },
  {
    path: mailedPages.revertEmail,
    call: '/change-email/revert',
    title: 'Take your address back',
    text: 'Your account gets its former address again. You will be logged out everywhere and asked for a new password.',
    button: 'Take the address back',
  },
] as const;

function addEmailPage(app: FastifyInstance, page: (typeof emailPages)[number]): void {
  const { path, call, title, text, button } = page;
  const show = (content: Html) =>
    html`<h1>${title}</h1>
      ${content}`;

  app.get(path, hidden, async ({ query }, reply) => {
    const { token = '' } = textsIn(query);
    const form = html`<p>${text}</p>
      <form method="post" action="${path}">
        <input type="hidden" name="token" value="${token}" />
        <button>${button}</button>
      </form>`;
    const content = token === '' ? notice('bad', 'Open the link in the email we sent you.') : form;
    return sendHtml(reply, title, show(content));
  });

  app.post(path, hidden, async (request, reply) => {
    const { token = '' } = textsIn(request.body);
    const outcome = await callApi(reply, call, { token });
    return sendHtml(reply, title, show(outcome.text));
  });
}

function addHome(app: FastifyInstance): void {
  const { name, description, docs, version } = app.config;
  const links = {
    ...(docs && { docs: '/docs', openapi: '/openapi.json' }),
    health: '/health/ready',
    outbox: '/outbox',
    ...(app.config.servesResetPage && { reset_password: mailedPages.resetPassword }),
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
        <p>The README shows how to sign up, log in and call the API.</p>`,
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
