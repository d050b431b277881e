import type { FastifyInstance } from 'fastify';
import { callApi, failure, fieldsOf, html, type Html, sendPage, success } from './page.ts';

/**
 * Where the links of the mails about a new address lead: to a button, because programs that look through mail open its
 * links, too.
 */
export function addEmailPages(app: FastifyInstance): void {
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
