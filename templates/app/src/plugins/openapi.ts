import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { wholeRow } from '../lib/operations.ts';
import { brokenRequestAnswers } from '../lib/problem.ts';
import { asSent, type typeOfFormat } from '../lib/types.ts';
import { html } from '../pages/page.ts';

/** `/openapi.json` says what the routes say of themselves; `/docs` shows it, and logs in by "Authorize". */
export async function addOpenapi(app: FastifyInstance): Promise<void> {
  const { docs, name, description, version } = app.config;
  if (!docs) return;
  const { default: swagger } = await import('@fastify/swagger');
  const flows = { password: { tokenUrl: '/auth/token', refreshUrl: '/auth/refresh', scopes: {} } };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: name, description, version },
      components: {
        securitySchemes: {
          login: { type: 'oauth2', description: 'The `username` is the email address.', flows },
        },
      },
    },
    transformObject: (document) =>
      'openapiObject' in document ? tidyDocument(document.openapiObject) : document.swaggerObject,
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

type Schemas = Record<string, object>;

/**
 * The same document, where a schema that has a title stands once, among the components, and fields that are secret
 * (`writeOnly`) are left out: who may write them knows of them.
 */
function tidyDocument<T extends { readonly components?: object }>(document: T): T {
  const schemas: Schemas = {};
  // A reviver sees what is inside before it sees what is around.
  const tidy = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    // What stands in the document for a schema without a description.
    if (value === 'Default Response') return 'Success.';
    if (!isObject(value)) return value;
    const { [asSent]: _, ...schema } = { [asSent]: true, ...withoutSecrets(value) };
    return wholeOrPart(
      key === 'schema' || 'title' in schema ? withExample(schema) : schema,
      schemas,
    );
  });
  const components = { ...tidy.components, responses: brokenRequestAnswers, schemas };
  return { ...tidy, paths: withBrokenRequests(tidy.paths), components };
}

interface Paths {
  readonly [path: string]: { readonly [method: string]: { readonly responses?: object } };
}

/** Whatever was asked for, the request may be one that cannot be read. */
function withBrokenRequests(paths: Paths): Paths {
  const broken = Object.keys(brokenRequestAnswers).map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  const answers = Object.fromEntries(broken);
  const routes = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      { ...operation, responses: { ...answers, ...operation.responses } },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(routes);
}

/** The answer of a row is the whole row, or what a client has selected of it. */
function wholeOrPart(schema: object, schemas: Schemas): object {
  if (!(wholeRow in schema)) return withoutTwins(schema, schemas);
  const { [wholeRow]: whole, ...part } = schema;
  return { anyOf: [whole, withoutTwins(part, schemas)] };
}

/** A reference to the schema, unless another one has its title. */
function withoutTwins(schema: object, schemas: Schemas): object {
  const { title, type } = { title: undefined, type: undefined, ...schema };
  if (typeof title !== 'string' || type !== 'object') return schema;
  const first = (schemas[title] ??= schema);
  if (JSON.stringify(first) !== JSON.stringify(schema)) return schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** Of a shape with names of its own, unless it has one already. */
function withExample(schema: object): object {
  const { properties, required, examples, additionalProperties }: Described = schema;
  if (properties === undefined || examples || isObject(additionalProperties)) return schema;
  const example = exampleOf({ properties, ...(required && { required }) });
  return example === undefined ? schema : { ...schema, examples: [example] };
}

interface Described {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly additionalProperties?: unknown;
}

function withoutSecrets(schema: object): object {
  if (!('properties' in schema) || !isObject(schema.properties)) return schema;
  const all = Object.entries(schema.properties);
  const secret = all.filter(([, property]) => isSecret(property)).map(([name]) => name);
  if (secret.length === 0) return schema;
  const isOpen = (name: unknown) => !secret.includes(String(name));
  const required = 'required' in schema ? [schema.required].flat().filter(isOpen) : [];
  const properties = Object.fromEntries(all.filter(([name]) => isOpen(name)));
  return { ...schema, properties, required };
}

function isSecret(property: unknown): boolean {
  return isObject(property) && 'writeOnly' in property && property.writeOnly === true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a schema says of a property, as far as an example needs it. */
interface Property {
  readonly items?: object;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly 'x-minimum'?: string;
  readonly 'x-maximum'?: string;
  readonly 'x-minimum-bytes'?: number;
}

interface Shape {
  readonly properties: object;
  readonly required?: readonly string[];
}

/** An object that fits its shape, to be tried as it stands; `undefined` where a property's pattern allows no guess. */
function exampleOf({ properties, required = [] }: Shape): object | undefined {
  const values = Object.entries<Property>({ ...properties })
    .map(([name, property]) => [name, exampleValue(name, property)] as const)
    .filter(([, value]) => value !== undefined);
  const names = new Set(values.map(([name]) => name));
  return required.every((name) => names.has(name)) ? Object.fromEntries(values) : undefined;
}

function exampleValue(name: string, property: Property): unknown {
  const { examples = [], default: initial, enum: values = [], type, items = {} } = property;
  const [given = initial ?? values[0]] = examples;
  if (given !== undefined) return given;
  // Only rows that are not deleted are shown to everybody.
  if (name === 'deleted_at') return null;
  const [kind] = [type ?? []].flat();
  switch (kind) {
    case 'integer':
    case 'number':
      return numberOf(property);
    case 'boolean':
      return true;
    case 'array':
      // Rows have an example of their own, which a reader puts in.
      return 'type' in items ? [] : undefined;
    case 'object':
      return {};
    default:
      return [...textsOf(name, property)].find((text) => fits(text, property));
  }
}

function numberOf({ minimum, maximum }: Property): number {
  return Math.max(minimum ?? Math.min(1, maximum ?? 1), Math.min(1, maximum ?? 1));
}

/** What could stand there, the most telling first. */
function textsOf(name: string, property: Property): readonly string[] {
  const { format = '', pattern, minLength = 0, maxLength = 1000 } = property;
  const { 'x-minimum': least, 'x-maximum': most, 'x-minimum-bytes': bytes = 0 } = property;
  const bounds = [least ?? [], most ?? []].flat();
  if (bytes > 0) return [Buffer.alloc(bytes).toString('base64')];
  if (format in textsByFormat) return [...bounds, textsByFormat[format] ?? ''];
  const words = name.replaceAll('_', ' ');
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  const text = label.padEnd(minLength, '.').slice(0, maxLength);
  return pattern === undefined ? [text] : [...bounds, ...numerals, text, text.toLowerCase()];
}

/** Decimals are texts of a pattern. */
const numerals = ['4.50', '4.5', '4', '0.50', '0.5', '0'];

function fits(text: string, { pattern, minLength = 0, maxLength = Infinity }: Property): boolean {
  const hasLength = text.length >= minLength && text.length <= maxLength;
  return hasLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

const textsByFormat: Readonly<Record<string, string>> = {
  'idn-email': 'ann@example.test',
  iri: 'https://example.com',
  int64: '1',
  date: '2026-01-31',
  'partial-time': '09:30:00',
  'date-time': '2026-01-31T09:30:00.000Z',
  uuid: '018f2f3e-7a5b-7c1d-9e2f-3a4b5c6d7e8f',
  byte: 'aGVsbG8=',
  password: 'correct horse battery',
} satisfies Readonly<Record<Exclude<keyof typeof typeOfFormat, 'text'> | 'password', string>>;
