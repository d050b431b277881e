import type { FastifyInstance, FastifyReply } from 'fastify';
import { addDevelopmentPages } from './development.ts';
import {
  callApi,
  failure,
  fieldsOf,
  html,
  type Html,
  sendPage,
  style,
  stylePath,
  success,
} from './page.ts';

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
  addDevelopmentPages(app);
}

/**
 * Where the link in the mail leads, for as long as there is no front end: a form asks for the mail, and another one for
 * the new password. The page is a client of this API like any other, and needs no script.
 */
function addResetPage(app: FastifyInstance): void {
  const { auth, name } = app.config;

  app.get('/reset-password', { schema: { hide: true } }, async (request, reply) => {
    const { token } = fieldsOf(request.query);
    if (token === undefined) return show(reply, askForMail());
    const {
      isGood,
      message,
      email = '',
    } = await callApi(request, '/forgot-password/validate', { token });
    return isGood
      ? show(reply, askForPassword({ token, email }))
      : show(reply, html`${failure(message)}${askForMail()}`);
  });

  app.post('/reset-password', { schema: { hide: true } }, async (request, reply) => {
    const { email = '', token, password = '' } = fieldsOf(request.body);
    if (token === undefined) {
      const { isGood, message } = await callApi(request, '/forgot-password', { email });
      return show(reply, isGood ? success(message) : html`${failure(message)}${askForMail()}`);
    }
    const { isGood, message } = await callApi(request, '/reset-password', { token, password });
    return show(
      reply,
      isGood ? success(message) : html`${failure(message)}${askForPassword({ token, email })}`,
    );
  });

  function show(reply: FastifyReply, body: Html): FastifyReply {
    return sendPage(
      reply,
      `Reset your ${name} password`,
      html`<h1>Reset your password</h1>
        ${body}`,
    );
  }

  function askForPassword({
    token,
    email,
  }: {
    readonly token: string;
    readonly email: string;
  }): Html {
    return html`<form method="post" action="/reset-password">
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

function askForMail(): Html {
  return html`<form method="post" action="/reset-password">
    <label for="email">Email address of your account</label>
    <input id="email" name="email" type="email" autocomplete="username" required autofocus />
    <button>Send me a link</button>
  </form>`;
}

/**
 * Where the links of the mails about a new address lead: to a button, because programs that look through mail open its
 * links, too.
 */
function addEmailPages(app: FastifyInstance): void {
  addEmailPage(app, '/confirm-email', {
    title: 'Confirm your new address',
    text: 'Mail about your account will come to this address, and you log in with it.',
    button: 'Confirm the address',
    call: '/change-email/confirm',
  });
  addEmailPage(app, '/revert-email', {
    title: 'Take your address back',
    text: 'Your account gets its former address again, every login ends, and you choose a new password.',
    button: 'Take the address back',
    call: '/change-email/revert',
  });
}

interface EmailPage {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  /** What of the API it stands for. */
  readonly call: string;
}

function addEmailPage(app: FastifyInstance, path: string, page: EmailPage): void {
  const show = (content: Html) =>
    html`<h1>${page.title}</h1>
      ${content}`;

  app.get(path, { schema: { hide: true } }, async ({ query }, reply) => {
    const { token = '' } = fieldsOf(query);
    const form = html`<p>${page.text}</p>
      <form method="post" action="${path}">
        <input type="hidden" name="token" value="${token}" />
        <button>${page.button}</button>
      </form>`;
    const content = token === '' ? failure('Open the link that is in the mail.') : form;
    return sendPage(reply, page.title, show(content));
  });

  app.post(path, { schema: { hide: true } }, async (request, reply) => {
    const { token = '' } = fieldsOf(request.body);
    const { isGood, message } = await callApi(request, page.call, { token });
    return sendPage(reply, page.title, show(isGood ? success(message) : failure(message)));
  });
}
