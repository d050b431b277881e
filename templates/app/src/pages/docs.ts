import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { html } from './page.ts';

const hidden = { schema: { hide: true } };

/** `/docs` shows the document and can try each call: https://scalar.com. */
export function addDocs(app: FastifyInstance): void {
  const { name } = app.config;
  const configuration = {
    theme: 'default',
    customCss,
    withDefaultFonts: false,
    persistAuth: true,
    hideClientButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    defaultOpenAllTags: false,
    hideModels: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: { preferredSecurityScheme: 'login' },
  };
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name} API</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <script
          id="api-reference"
          data-url="/openapi.json"
          data-configuration="${JSON.stringify(configuration)}"
        ></script>
        <script src="/docs/scalar.js"></script>
        <script type="module" src="/docs/corrections.js"></script>
      </body>
    </html> `;
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  const scripts = {
    '/docs/scalar.js': new URL('js/standalone.js', pathToFileURL(main)),
    '/docs/corrections.js': new URL('scalar-corrections.js', import.meta.url),
  };

  app.get('/docs', hidden, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': contentSecurityPolicy })
      .type('text/html; charset=utf-8')
      .send(page.html),
  );
  for (const [path, file] of Object.entries(scripts)) {
    let script: Buffer | undefined;
    app.get(path, hidden, async (_request, reply) =>
      reply
        .header('cache-control', 'max-age=3600')
        .type('text/javascript; charset=utf-8')
        .send((script ??= readFileSync(file))),
    );
  }
}

/** The page loads its own files and calls this server, nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Enough contrast (WCAG AA), and a login form without the fields that `/auth/token` has no use for. */
const customCss = `
  .light-mode {
    --scalar-color-2: #4b4b4b;
    --scalar-color-3: #666;
    --scalar-color-green: #0a6b3d;
    --scalar-color-blue: #0a58ca;
    --scalar-color-yellow: #7a5b00;
    --scalar-color-orange: #a04000;
    --scalar-color-red: #b3261e;
    --scalar-color-purple: #5f3dc4;
  }
  .dark-mode {
    --scalar-color-2: #c4c4c4;
    --scalar-color-3: #a8a8a8;
    --scalar-color-red: #ff8a80;
  }
  form table:has(> tr:nth-child(8) [class*='scopes-accordion'])
    > tr:is(:nth-child(2), :nth-child(n + 5):nth-child(-n + 8)) {
    display: none;
  }
`;
