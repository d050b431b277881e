import { Ajv2020 } from 'ajv/dist/2020.js';
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
  readonly content?: { readonly [type: string]: object };
}

export function readDocument(app: FastifyInstance): Document {
  return JSON.parse(JSON.stringify(app.swagger()));
}

/** Throws when an answer is not one that the document declares. */
export function documentCheck(app: FastifyInstance) {
  const document = readDocument(app);
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    keywords: [...keywords],
    formats,
  });
  ajv.addFormat('password', true);
  ajv.addSchema(document, 'document');
  const pathOf = pathFinder(document);

  return ({ method, url }: { method: string; url: string }, response: LightMyRequestResponse) => {
    const path = pathOf(url) ?? '';
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) return;
    const name = `${method} ${url}`;
    const { statusCode, headers, body } = response;
    const answer = operation.responses[statusCode];
    if (answer === undefined) throw new Error(`${name}: status ${statusCode} is not declared.`);
    if (body === '') return;
    const [type = ''] = String(headers['content-type']).split(';');
    if (answer.content?.[type] === undefined) {
      throw new Error(`${name}: ${type} is not declared for ${statusCode}.`);
    }
    const parts = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(statusCode),
      'content',
      type,
      'schema',
    ];
    const validate = ajv.getSchema(`document#/${parts.map(pointerPart).join('/')}`);
    if (validate === undefined || validate(response.json())) return;
    throw new Error(`${name}: ${statusCode} ${ajv.errorsText(validate.errors)} in ${body}`);
  };
}

/** `/api/posts/7?fields=title` → `/api/posts/{id}` */
function pathFinder({ paths }: Document) {
  const patterns = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${trimmed(path).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (url: string) => {
    const [address = ''] = url.split('?', 1);
    const found = patterns.filter(({ pattern }) => pattern.test(trimmed(address)));
    return found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]?.path;
  };
}

const trimmed = (path: string) => path.replace(/\/$/, '');

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
