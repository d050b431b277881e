import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, type Html } from './html.ts';
import { sendPage } from './page.ts';

/** What the API says of a call that a form stands for. */
interface Outcome {
  readonly isGood: boolean;
  readonly message: string;
  readonly email?: string;
}

/**
 * Where the link in the mail leads, for as long as there is no front end: a form asks for the mail, and another one for
 * the new password. The page is a client of this API like any other, and needs no script.
 */
export async function resetPasswordPage(app: FastifyInstance): Promise<void> {
  const { auth, name } = app.config;

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  );

  app.get('/reset-password', { schema: { hide: true } }, async (request, reply) => {
    const { token } = fieldsOf(request.query);
    if (token === undefined) return show(reply, askForMail());
    const {
      isGood,
      message,
      email = '',
    } = await call(request, '/forgot-password/validate', { token });
    return isGood
      ? show(reply, askForPassword({ token, email }))
      : show(reply, html`${failure(message)}${askForMail()}`);
  });

  app.post('/reset-password', { schema: { hide: true } }, async (request, reply) => {
    const { email = '', token, password = '' } = fieldsOf(request.body);
    if (token === undefined) {
      const { isGood, message } = await call(request, '/forgot-password', { email });
      return show(reply, isGood ? success(message) : html`${failure(message)}${askForMail()}`);
    }
    const { isGood, message } = await call(request, '/reset-password', { token, password });
    return show(
      reply,
      isGood ? success(message) : html`${failure(message)}${askForPassword({ token, email })}`,
    );
  });

  /** From the address of whoever sent the form, so that its limits are those of the API. */
  async function call({ ip }: FastifyRequest, path: string, payload: object): Promise<Outcome> {
    const url = `/auth${path}`;
    const response = await app.inject({ method: 'POST', url, payload, remoteAddress: ip });
    const { message = '', detail = '', errors = [], email = '' } = response.json<Answer>();
    const faults = errors.map(({ loc, msg }) => `The ${loc.at(-1)} ${msg}.`).join(' ');
    return { isGood: response.statusCode === 200, message: message || faults || detail, email };
  }

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

interface Answer {
  readonly message?: string;
  readonly email?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
}

function askForMail(): Html {
  return html`<form method="post" action="/reset-password">
    <label for="email">Email address of your account</label>
    <input id="email" name="email" type="email" autocomplete="username" required autofocus />
    <button>Send me a link</button>
  </form>`;
}

function success(message: string): Html {
  return html`<p class="good" role="status">${message}</p>`;
}

function failure(message: string): Html {
  return html`<p class="bad" role="alert">${message}</p>`;
}

/** Of a query or a form: texts by name. */
function fieldsOf(source: unknown): Readonly<Record<string, string | undefined>> {
  const texts = Object.entries(Object(source)).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}
