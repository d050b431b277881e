import { isUtf8 } from 'node:buffer';
import { Ajv, type ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { isAcceptablePassword } from '../lib/password.ts';
import { invalid, pointerPart, Problem, type Fault } from '../lib/problem.ts';
import { formats, keywords } from '../lib/types.ts';

const maxDepth = 32;
const maxFaults = 100;

/**
 * Bodies are JSON that means exactly what its schema says: nothing is converted, dropped or filled in, and all faults
 * are reported at once. Parameters are read by the lists themselves; in a route's schema they are documentation.
 */
export function addValidation(app: FastifyInstance): void {
  const { passwordMinLength } = app.config.auth;
  const ajv = new Ajv({
    allErrors: true,
    // Or a body without `toString` would be taken to have one.
    ownProperties: true,
    strict: false,
    keywords: [...keywords],
    formats,
  });
  ajv.addFormat('password', (text: string) => isAcceptablePassword(text, passwordMinLength));
  const password = `must have at least ${passwordMinLength} characters and at most 72 bytes`;
  const faultOf = describeWith({ ...formatMessages, password });

  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body') return () => true;
    const validate = ajv.compile(schema);
    return (body) => {
      if (validate(body)) return true;
      return { error: invalid((validate.errors ?? []).slice(0, maxFaults).map(faultOf)) };
    };
  });

  // Answers are JSON text already, or objects made for them.
  app.setSerializerCompiler(() => JSON.stringify);

  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (!isUtf8(body)) return done(malformed('The body is not UTF-8.'));
      if (depthOf(body) > maxDepth) return done(malformed('The body is nested too deeply.'));
      return parseJson(request, body.toString(), done);
    },
  );
}

function malformed(detail: string): Problem {
  return new Problem(422, 'malformed_body', detail);
}

/** Counted before anything is parsed: what reads the parsed value may call itself once a level. */
function depthOf(json: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === backslash && isInString) index += 1;
    else if (byte === quote) isInString = !isInString;
    else if (isInString) continue;
    else if (byte === openBracket || byte === openBrace) deepest = Math.max(deepest, (depth += 1));
    else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  return deepest;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

type Messages = Readonly<Record<string, string>>;

function describeWith(formatMessages: Messages): (error: ErrorObject) => Fault {
  return (error) => {
    const { keyword, params } = error;
    const path = [...pathOf(error.instancePath), ...propertyOf(error)];
    const expected =
      keyword === 'format' ? formatMessages[params.format] : messages[keyword]?.(params);
    return {
      loc: ['body', ...path],
      pointer: `#${path.map((part) => `/${pointerPart(String(part))}`).join('')}`,
      code: codes[keyword] ?? keyword,
      msg: expected ?? error.message ?? 'is invalid',
    };
  };
}

/** `/tags/0` → `tags`, `0` */
function pathOf(instancePath: string): readonly (string | number)[] {
  const parts = instancePath.split('/').slice(1);
  return parts.map((part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return /^\d+$/.test(name) ? Number(name) : name;
  });
}

/** A missing or unknown property is a fault of that property, not of the object around it. */
function propertyOf({ params }: ErrorObject): readonly string[] {
  const name: unknown = params.missingProperty ?? params.additionalProperty;
  return typeof name === 'string' ? [name] : [];
}

const codes: Messages = {
  required: 'missing',
  additionalProperties: 'unknown_field',
};

const messages: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field that can be written here',
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`,
};

const formatMessages: Messages = {
  text: 'must hold neither NUL nor half of a surrogate pair',
  email: 'must be an email address',
  uri: 'must be an http or https URL',
  int64: 'must be a whole number of 64 bits, as text',
  date: 'must be a date like 2026-01-31',
  uuid: 'must be a uuid',
  'partial-time': 'must be a time like 09:30:00',
  'date-time': 'must be a time like 2026-01-31T09:30:00Z',
  byte: 'must be base64',
};
