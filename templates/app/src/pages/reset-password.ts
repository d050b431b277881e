import type { FastifyInstance, FastifyReply } from 'fastify';
import { callApi, failure, fieldsOf, html, type Html, sendPage, success } from './page.ts';

/**
 * Where the link in the mail leads, for as long as there is no front end: a form asks for the mail, and another one for
 * the new password. The page is a client of this API like any other, and needs no script.
 */
export function addResetPage(app: FastifyInstance): void {
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
