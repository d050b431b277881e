import { randomBytes } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeEach } from 'vitest';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import type { Role } from '../src/enums.ts';
import { formats, keywords } from '../src/lib/formats.ts';
import type { Message } from '../src/mail/outbox.ts';
import type { User } from '../src/users/schema.ts';
import { makeDatabase } from './database.ts';
import { factory, type Factory, testPassword } from './factory.ts';

export interface SignedIn extends Client {
  readonly user: User;
  readonly token: string;
  readonly refreshToken: string;
}

export interface TestApp {
  readonly app: FastifyInstance;
  /** Makes rows: `api.make.…({ … })`. */
  readonly make: Factory;
  /** The mail that was sent since the test began. */
  readonly mails: Message[];
  /** What the link in the last mail to an address holds. */
  mailedToken(address: string): Promise<string>;
  /** Calls without a token. */
  readonly nobody: Client;
  /** A new user, logged in. */
  signIn(role?: Role): Promise<SignedIn>;
  logIn(user: User): Promise<SignedIn>;
  /** A second server on the same database, which sends mail to the same people. */
  another(): Promise<FastifyInstance>;
}

/** A server on a database of its own, closed when the tests of the file are done. Each test finds its tables empty. */
export async function startTestApp(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const database = await makeDatabase();
  const config = loadConfig({ ...defaults, DATABASE_URL: database.url, ...settings });
  const connection = await database.open(config);
  const mails: Message[] = [];
  const mailer = { send: async (message: Message) => void mails.push(message) };
  const another = () => buildApp({ config, connection, mailer });
  const app = await another();
  const client = clients(app);
  const make = factory(app);

  beforeEach(async () => {
    await database.empty();
    // What the test before has caused may still be on its way.
    await app.outbox.deliver();
    mails.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await connection.close();
    await database.remove();
  });

  const logIn = async (user: User): Promise<SignedIn> => {
    const credentials = { username: user.email, password: testPassword };
    const pair = (await client().post('/auth/token', credentials)).json();
    const { access_token: token, refresh_token: refreshToken } = pair;
    return { ...client(token), user, token, refreshToken };
  };
  return {
    app,
    make,
    mails,
    async mailedToken(address) {
      await app.outbox.deliver();
      const { text = '' } = mails.findLast(({ to }) => to === address) ?? {};
      return /token=([\w-]{43})/.exec(text)?.[1] ?? '';
    },
    nobody: client(),
    signIn: async (role = 'user') => logIn(await make.user({ role })),
    logIn,
    another,
  };
}

const defaults = {
  NODE_ENV: 'test',
  AUTH_SECRET_KEY: randomBytes(48).toString('base64'),
  AUTH_BCRYPT_COST: '4',
  RATE_LIMITS: 'off',
  DOCS: 'on',
};

type Headers = Readonly<Record<string, string>>;
type Response = Promise<LightMyRequestResponse>;

/** Calls the API as somebody, and holds every answer against the OpenAPI document. */
export interface Client {
  get(url: string, headers?: Headers): Response;
  post(url: string, body?: object, headers?: Headers): Response;
  put(url: string, body: object): Response;
  patch(url: string, body: object, headers?: Headers): Response;
  delete(url: string, headers?: Headers): Response;
  /** Posts what a browser or an OAuth client sends. */
  form(url: string, fields: string | Record<string, string>): Response;
  /** With broken JSON as its body, or from another address. */
  send(request: InjectOptions & { readonly method: string; readonly url: string }): Response;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };

export function clients(app: FastifyInstance): (token?: string) => Client {
  const check = documentCheck(app);
  return (token) => {
    const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const send: Client['send'] = async (request) => {
      const response = await app.inject({ ...request, headers: { ...own, ...request.headers } });
      check(request, response);
      return response;
    };
    return {
      send,
      get: (url, headers = {}) => send({ method: 'GET', url, headers }),
      post: (url, body, headers = {}) =>
        send({ method: 'POST', url, headers, ...(body && { payload: body }) }),
      put: (url, body) => send({ method: 'PUT', url, payload: body }),
      patch: (url, body, headers = {}) => send({ method: 'PATCH', url, headers, payload: body }),
      delete: (url, headers = {}) => send({ method: 'DELETE', url, headers }),
      form: (url, fields) =>
        send({ method: 'POST', url, headers: form, payload: String(new URLSearchParams(fields)) }),
    };
  };
}

/** The statuses of as many calls at the same time, in order. */
export async function atOnce(count: number, call: (index: number) => Response) {
  const responses = await Promise.all(Array.from({ length: count }, (_, index) => call(index)));
  return responses.map(({ statusCode }) => statusCode).toSorted();
}

export function times<Value>(count: number, value: Value): readonly Value[] {
  return Array.from({ length: count }, () => value);
}

/** Where an answer of 409 or 422 says that something is wrong, in order: `['#/email']`. */
export function pointers(response: LightMyRequestResponse): readonly string[] {
  const errors: readonly { readonly pointer: string }[] = response.json().errors;
  return [...new Set(errors.map(({ pointer }) => pointer))].toSorted();
}

/** The pointers to fields, in order. */
export function pointersTo(names: readonly string[]): readonly string[] {
  return names.map((name) => `#/${name}`).toSorted();
}

/** As much of an OpenAPI document as the tests read. */
export interface Document {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly responses: { readonly [name: string]: Answer } };
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: { readonly [status: string]: Answer };
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: { readonly [type: string]: object };
}

export function readDocument(app: FastifyInstance): Document {
  return JSON.parse(JSON.stringify(app.swagger()));
}

/**
 * Throws when an answer is not one that the document declares; routes that declare none answer as they like. Rows that
 * were cut to some `fields` are parts of what it shows.
 */
function documentCheck(app: FastifyInstance) {
  const document = readDocument(app);
  const validatorOf = validators(document);
  const pathOf = pathFinder(document);

  return ({ method, url }: { method: string; url: string }, response: LightMyRequestResponse) => {
    const path = pathOf(url) ?? '';
    const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {};
    if (Object.values(responses).every(isUndeclared)) return;
    const name = `${method} ${url}`;
    const { statusCode, headers, body } = response;
    const isAnywhere = responses[statusCode] === undefined && happensAnywhere.has(statusCode);
    const status = isAnywhere ? 'default' : String(statusCode);
    const declared = responses[status];
    if (declared === undefined) throw new Error(`${name}: status ${statusCode} is not declared.`);
    if (body === '' || (statusCode < 300 && /[?&]fields=/.test(url))) return;
    const [type = ''] = String(headers['content-type']).split(';');
    const shared = declared.$ref?.split('/').slice(1);
    const answer = shared ? document.components.responses[shared.at(-1) ?? ''] : declared;
    if (answer?.content?.[type] === undefined) {
      throw new Error(`${name}: ${type} is not declared for ${statusCode}.`);
    }
    const place = shared ?? ['paths', path, method.toLowerCase(), 'responses', status];
    const validate = validatorOf([...place, 'content', type, 'schema']);
    if (validate === undefined || validate(response.json())) return;
    throw new Error(`${name}: ${statusCode} ${JSON.stringify(validate.errors)} in ${body}`);
  };
}

/** What may happen to any request, and is declared as such. */
const happensAnywhere = new Set([408, 414, 431, 500, 503]);

/** What the document says of a route whose schema says nothing about its answers. */
const isUndeclared = (answer: Answer) => answer.description === 'Default Response';

/** Compiles each schema of an answer once. */
function validators(document: Document) {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    keywords: [...keywords],
    formats,
  });
  ajv.addFormat('password', true);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction | undefined>();
  return (place: readonly string[]) => {
    const pointer = `document#/${place.map(pointerPart).join('/')}`;
    if (!compiled.has(pointer)) compiled.set(pointer, ajv.getSchema(pointer));
    return compiled.get(pointer);
  };
}

/** `/api/posts/7?fields=title` → `/api/posts/{id}` */
function pathFinder({ paths }: Document) {
  const patterns = Object.keys(paths)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${trimmed(path).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  return (url: string) => {
    const [address = ''] = url.split('?', 1);
    return patterns.find(({ pattern }) => pattern.test(trimmed(address)))?.path;
  };
}

const trimmed = (path: string) => path.replace(/\/$/, '');

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
