import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, resolved, routeFinder } from './document.ts';
import type { Received, Sent } from './send.ts';

/** What the formats mean to somebody who reads the document and knows nothing about this server. */
const standardFormats = {
  email: /^[\x21-\x3f\x41-\x7e]+@[a-z\d-]+(\.[a-z\d-]+)*$/i,
  'idn-email': /^[^\s@]+@[^\s@]+$/,
  uri: (text: string) => /^[\x21-\x7e]+$/.test(text) && parses(text),
  iri: (text: string) => !/\s/.test(text) && parses(text),
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** `URL.canParse` of Node 20 and 22, once it is optimized, rejects some letters beyond ASCII. */
function parses(url: string): boolean {
  try {
    return new URL(url).href !== '';
  } catch {
    return false;
  }
}

/**
 * Says what is wrong with an answer, if anything is: a status, media type or body that the document does not declare, a
 * failure of the server, or that it accepted what the document does not allow.
 */
export function contractOf(document: Document) {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    logger: false,
    formats: standardFormats,
  });
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction | undefined>();
  const validatorAt = (parts: readonly string[]) => {
    const pointer = `document#/${parts.map(pointerPart).join('/')}`;
    if (!compiled.has(pointer)) compiled.set(pointer, ajv.getSchema(pointer));
    return compiled.get(pointer);
  };
  const faultsIn = (parts: readonly string[], body: unknown) => {
    const validate = validatorAt(parts);
    return validate === undefined || validate(body) ? undefined : JSON.stringify(validate.errors);
  };
  const routeOf = routeFinder(document);

  return (sent: Sent, received: Received): string | undefined => {
    const { status, headers, body } = received;
    if (status === 0) return `no answer: ${body}`;
    if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After';
    if (status >= 500 && status !== 503) return `a failure of the server: ${body}`;
    // Node's own answer to an `Expect` that it does not know, before there is a route.
    if (status === 417 && body === '' && 'expect' in sent.headers) return undefined;
    const path = routeOf(sent.path);
    const isHead = sent.method === 'HEAD';
    const method = isHead ? 'get' : sent.method.toLowerCase();
    const operation = path === undefined ? undefined : document.paths[path]?.[method];
    const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    if (path === undefined || operation === undefined) {
      if (status === 405 && headers.allow === undefined) return '405 without Allow';
      const isProblem = status >= 400 && (isHead || type === 'application/problem+json');
      return isProblem || isOutside(sent) ? undefined : `no route, and ${status} ${type} ${body}`;
    }
    const place = happensAnywhere.has(status) ? 'default' : String(status);
    const declared = operation.responses[status] ?? operation.responses[place];
    if (declared === undefined) return `${status} is not declared: ${body}`;
    if (body === '') return undefined;
    const answer = resolved(document, declared);
    if (answer.content?.[type] === undefined) return `${type} is not declared for ${status}`;
    const at = declared.$ref?.split('/').slice(1) ?? ['paths', path, method, 'responses', place];
    const isCut = status < 300 && /[?&]fields=/.test(sent.path);
    const faults = isCut ? undefined : faultsIn([...at, 'content', type, 'schema'], parsed(body));
    if (faults !== undefined) return `${status} is not of its schema: ${faults}`;
    if (status >= 300 || sent.json === undefined || operation.requestBody === undefined) return;
    const asked = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
    const refused = faultsIn(asked, sent.json);
    return refused && `took what the document refuses: ${refused}`;
  };
}

/** What may happen to any request: requests that cannot be read, and failures. */
const happensAnywhere = new Set([400, 408, 414, 431, 500, 503]);

/** Pages, and addresses that no route serves but a browser may ask for. */
const outside = /^\/+(docs|openapi\.json|reset-password|confirm-email|revert-email|style|$)/;

const isOutside = ({ path }: Sent) => outside.test(path);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
