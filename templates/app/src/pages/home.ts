import type { FastifyInstance } from 'fastify';
import { firstCall } from './first-call.ts';
import { html, sendPage } from './page.ts';

/** What somebody sees who opens the address that a developer's server prints. */
export function addHome(app: FastifyInstance): void {
  const { name, description, docs, publicUrl, version } = app.config;
  const links = {
    ...(docs && { docs: '/docs', openapi: '/openapi.json' }),
    health: '/health/ready',
    outbox: '/outbox',
    reset_password: '/reset-password',
  };

  app.get('/', { schema: { hide: true } }, async ({ headers }, reply) => {
    reply.header('vary', 'accept');
    if (!headers.accept?.includes('text/html')) return { name, description, version, links };
    const { registration, username, password, list } = firstCall;
    const register = `curl ${publicUrl}/auth/register -H 'content-type: application/json' -d ${registration}`;
    const logIn = `curl ${publicUrl}/auth/token -d username=${username} -d password=${password}`;
    const call = `curl ${publicUrl}${list} -H "Authorization: Bearer $TOKEN"`;
    return sendPage(
      reply,
      name,
      html`<h1>${name}</h1>
        <p>${description}</p>
        <p class="good">The server is up. This page is there in development only.</p>
        <dl>
          ${
            docs
              ? html`<dt><a href="/docs">Documentation</a></dt>
                  <dd>every call, to read and to try</dd>`
              : ''
          }
          <dt><a href="/outbox">Outbox</a></dt>
          <dd>the mail that it has written</dd>
          <dt><a href="/reset-password">Reset a password</a></dt>
          <dd>the page that the mail leads to</dd>
          <dt><a href="/health/ready">Health</a></dt>
          <dd>whether the database is there and migrated</dd>
        </dl>
        <h2>Sign up</h2>
        <pre>${register}</pre>
        <h2>Log in</h2>
        <p>The <code>username</code> is the email address.</p>
        <pre>${logIn}</pre>
        <h2>Call</h2>
        <p>With the <code>access_token</code> of the answer as <code>TOKEN</code>:</p>
        <pre>${call}</pre>`,
    );
  });
}
