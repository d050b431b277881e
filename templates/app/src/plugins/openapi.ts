import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { filterNote, wholeRow } from '../lib/operations.ts';
import { asSent } from '../lib/types.ts';
import { html } from '../pages/page.ts';

/** `/openapi.json` says what the routes say of themselves; `/docs` shows it, and logs in by "Authorize". */
export async function addOpenapi(app: FastifyInstance): Promise<void> {
  const { docs, name, description, version, publicUrl } = app.config;
  if (!docs) return;
  const { default: swagger } = await import('@fastify/swagger');
  const flows = { password: { tokenUrl: '/auth/token', refreshUrl: '/auth/refresh', scopes: {} } };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: name, description: `${description}\n\n${filterNote}`, version },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          login: { type: 'oauth2', description: 'The `username` is the email address.', flows },
        },
      },
    },
    transformObject: (document) =>
      'openapiObject' in document ? withComponents(document.openapiObject) : document.swaggerObject,
  });
  addDocs(app);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/** The page loads its own files and calls this server, nothing else. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Text that stands out enough (WCAG AA); of the login, what `/auth/token` has no use for is left out. */
const customCss = `
  .light-mode { --scalar-color-2: #4b4b4b; --scalar-color-3: #666; --scalar-color-green: #0a6b3d; --scalar-color-blue: #0a58ca; --scalar-color-yellow: #7a5b00; --scalar-color-orange: #a04000; --scalar-color-red: #b3261e; --scalar-color-purple: #5f3dc4; }
  .dark-mode { --scalar-color-2: #c4c4c4; --scalar-color-3: #a8a8a8; --scalar-color-red: #ff8a80; }
  form table:has(> tr:nth-child(8) [class*='scopes-accordion']) > tr:is(:nth-child(2), :nth-child(n + 5):nth-child(-n + 8)) { display: none; }
`;

const hidden = { schema: { hide: true } };

/** `/docs` shows the document, and tries each call; https://scalar.com. */
function addDocs(app: FastifyInstance): void {
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
      </body>
    </html> `;
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  let script: Buffer | undefined;

  app.get('/docs', hidden, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': contentSecurityPolicy })
      .type('text/html; charset=utf-8')
      .send(page.html),
  );
  app.get('/docs/scalar.js', hidden, async (_request, reply) => {
    script ??= readFileSync(new URL('js/standalone.js', `file://${main}`));
    return reply
      .header('cache-control', 'max-age=3600')
      .type('text/javascript; charset=utf-8')
      .send(script);
  });
}

type Components = Readonly<Record<'schemas' | 'responses', Record<string, Part>>>;

interface Part {
  readonly [key: string]: unknown;
}

/** The same document, where what has a title, and each kind of problem, stands once, among the components. */
function withComponents<Document extends object>(document: Document): Document {
  const components: Components = { schemas: {}, responses: {} };
  const share = (kind: keyof Components, name: string, part: Part) => {
    const first = (components[kind][name] ??= part);
    return isDeepStrictEqual(first, part) ? { $ref: `#/components/${kind}/${name}` } : part;
  };
  // A reviver sees what is inside before it sees what is around.
  const shared = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    const part: Part = Object(value);
    if (key === asSent) return undefined;
    if (part[wholeRow] !== undefined) return part[wholeRow];
    if (part.type === 'object' && typeof part.title === 'string') {
      return share('schemas', part.title, forClients(part));
    }
    if (Object.hasOwn(Object(part.content), 'application/problem+json')) {
      return share('responses', STATUS_CODES[key]?.replaceAll(/\W/g, '') ?? 'Problem', part);
    }
    return value;
  });
  const paths: Paths = shared.paths ?? {};
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = operations.flatMap(({ tags = [] }) => tags);
  const tags = [...new Set(used)].map((name) => {
    const description = tagDescriptions[name] ?? components.schemas[name]?.description;
    return { name, ...(description !== undefined && { description }) };
  });
  return { ...shared, tags, components: { ...shared.components, ...components } };
}

interface Paths {
  readonly [path: string]: { readonly [method: string]: { readonly tags?: readonly string[] } };
}

const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Accounts, tokens and passwords.',
  health: 'For whatever runs the server.',
};

/**
 * Without secrets, of which those know who may write them, and without defaults of what may be left out: generators of
 * clients take a field with a default for one that is always there.
 */
function forClients({ properties, required = [], ...schema }: Part): Part {
  const needed = [required].flat();
  const open = Object.entries<Part>(Object(properties)).filter(([, it]) => it.writeOnly !== true);
  const shown = open.map(([name, { default: initial, ...property }]) => [
    name,
    needed.includes(name) ? { ...property, default: initial } : property,
  ]);
  return {
    ...schema,
    required: needed.filter((name) => open.some(([key]) => key === name)),
    properties: Object.fromEntries(shown),
  };
}
