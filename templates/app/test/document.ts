import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { formats, keywords } from '../src/lib/types.ts';

/** As much of an OpenAPI document as the tests read. */
export interface Document {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}

export interface Operation {
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

/** Throws when an answer is not one that the document declares; routes that declare none answer as they like. */
export function documentCheck(app: FastifyInstance) {
  const document = readDocument(app);
  const validatorOf = validators(document);
  const pathOf = pathFinder(document);

  return ({ method, url }: { method: string; url: string }, response: LightMyRequestResponse) => {
    const path = pathOf(url) ?? '';
    const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {};
    if (Object.values(responses).every(isUndeclared)) return;
    const name = `${method} ${url}`;
    const { statusCode, headers, body } = response;
    const answer = responses[statusCode];
    if (answer === undefined) throw new Error(`${name}: status ${statusCode} is not declared.`);
    if (body === '') return;
    const [type = ''] = String(headers['content-type']).split(';');
    if (answer.content?.[type] === undefined) {
      throw new Error(`${name}: ${type} is not declared for ${statusCode}.`);
    }
    const validate = validatorOf([path, method.toLowerCase(), String(statusCode), type]);
    if (validate === undefined || validate(response.json())) return;
    throw new Error(`${name}: ${statusCode} ${JSON.stringify(validate.errors)} in ${body}`);
  };
}

/** What the document says of a route whose schema says nothing about its answers. */
const isUndeclared = (answer: Answer) =>
  answer.$ref !== undefined || (!answer.content && answer.description === 'Success.');

/** Compiles the schema of each kind of answer once. */
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
  return ([path, method, status, type]: readonly [string, string, string, string]) => {
    const parts = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
    const pointer = `document#/${parts.map(pointerPart).join('/')}`;
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
