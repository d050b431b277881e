import type { FastifyReply } from 'fastify';

export const stylePath = '/style.css';

/** Pages load the style sheet and send forms to this server; they have no scripts. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function sendHtml(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return reply
    .headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page.html);
}

export function notice(kind: 'good' | 'bad', text: string): Html {
  return html`<p class="${kind}" role="${kind === 'good' ? 'status' : 'alert'}">${text}</p>`;
}

export function textsIn(source: unknown): Readonly<Record<string, string | undefined>> {
  const texts = Object.entries(Object(source)).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

interface Outcome {
  readonly isGood: boolean;
  readonly text: Html;
  readonly email: string;
}

interface ApiAnswer {
  readonly message?: string;
  readonly email?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
}

/**
 * Pages are clients of this API like any other. Its rate limits see the address that the form came from, and the page has
 * the status of its answer.
 */
export async function callApi(
  reply: FastifyReply,
  path: string,
  payload: object,
): Promise<Outcome> {
  const url = `/auth${path}`;
  const { server, request } = reply;
  const response = await server.inject({ method: 'POST', url, payload, remoteAddress: request.ip });
  reply.code(response.statusCode);
  const { 'retry-after': retryAfter } = response.headers;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const { message = '', detail = '', errors = [], email = '' } = response.json<ApiAnswer>();
  const faults = errors.map(({ loc, msg }) => `The ${loc.at(-1)} ${msg}.`).join(' ');
  const isGood = response.statusCode === 200;
  return { isGood, text: notice(isGood ? 'good' : 'bad', message || faults || detail), email };
}

export const style = `:root { color-scheme: light dark; --line: #8884; --link: #0a58ca; --good: #14713a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --link: #7ab0ff; --good: #6fd08f; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
a { color: var(--link); }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
code, pre { font: .9rem/1.5 ui-monospace, monospace; }
form { display: grid; gap: .5rem; max-width: 24rem; margin-top: 1.5rem; }
input, button { font: inherit; padding: .55rem .75rem; border-radius: .4rem; border: 1px solid #8888; }
button { cursor: pointer; background: var(--link); border-color: var(--link); color: Canvas; font-weight: 600; }
.good { color: var(--good); }
.bad { color: var(--bad); }
`;

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Part[];

/** A template that escapes every value except HTML. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  const parts = strings.map((text, index) => text + textOf(values[index] ?? ''));
  return { html: parts.join('') };
}

function textOf(part: Part): string {
  if (typeof part === 'string')
    return part.replaceAll(/[&<>"']/g, (it) => `&#${it.codePointAt(0)};`);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(textOf).join('');
}
