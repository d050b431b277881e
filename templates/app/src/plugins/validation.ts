import { isUtf8 } from 'node:buffer';
import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import {
  SerializerSelector,
  type SerializerFactory,
  type Serializer,
} from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance, FastifySchemaValidationError, FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';
import { wireTypes } from '../database/values.ts';
import { formats, keywords } from '../lib/formats.ts';
import { asSent, isAcceptablePassword, typeOfFormat } from '../lib/types.ts';
import { invalid, pointerPart, Problem, type Fault } from '../lib/problem.ts';

const maxDepth = 32;
const maxFaults = 100;

/**
 * What a route's schema says is what reaches its handler, and its `response` is what leaves. Texts of a query, a path
 * and headers are turned into the types of their schema. A JSON body has types already: nothing in it is converted.
 * Defaults are filled in everywhere but in a PATCH, where what is left out stays as it is.
 */
export function validationOptions({ auth: { passwordMinLength } }: Config) {
  const pool = AjvCompiler();
  const buildValidator: BuildCompilerFromPool = (sharedSchemas) => {
    const compilerWith = (options: { coerceTypes: false | 'array'; useDefaults: boolean }) =>
      pool(sharedSchemas, {
        customOptions: {
          ...options,
          allErrors: true,
          removeAdditional: false,
          // Or a body without `toString` would be taken to have one.
          ownProperties: true,
          strict: false,
          logger,
        },
        onCreate(ajv) {
          ajv.addVocabulary([...keywords]);
          for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check);
          ajv.addFormat('password', (text: string) =>
            isAcceptablePassword(text, passwordMinLength),
          );
        },
      });
    const texts = compilerWith({ coerceTypes: 'array', useDefaults: true });
    const values = compilerWith({ coerceTypes: false, useDefaults: true });
    const valuesAsSent = compilerWith({ coerceTypes: false, useDefaults: false });

    return (route) => {
      const { schema, method, httpPart }: RoutePart = Object(route);
      if (httpPart === 'headers') return texts({ schema: withLowerCaseNames(schema) });
      if (httpPart !== 'body') return texts({ schema: schema[asSent] ? {} : schema });
      return schema[asSent] || method === 'PATCH' ? valuesAsSent({ schema }) : values({ schema });
    };
  };
  return {
    schemaController: {
      compilersFactory: { buildValidator, buildSerializer: cachedSerializers() },
    },
    serializerOpts: { ajv: { formats } },
  } satisfies FastifyServerOptions;
}

interface RoutePart {
  readonly schema: { readonly [keyword: string]: unknown };
  readonly method: string;
  readonly httpPart: string;
}

/** Unknown keywords are for readers of the document; an unknown format, which nothing would check, stops the start. */
const logger = {
  log: () => {},
  warn(message: string): never {
    throw new Error(message);
  },
  error(message: string): never {
    throw new Error(message);
  },
};

/** Many routes answer with the same schema, such as that of problems: it is compiled once. */
function cachedSerializers(): SerializerFactory {
  const select = SerializerSelector();
  const cache = new WeakMap<object, Serializer>();
  return (sharedSchemas, options) => {
    const compile = select(sharedSchemas, options);
    // With shared schemas, a reference may mean something else in another plugin.
    if (Object.keys(Object(sharedSchemas)).length > 0) return compile;
    return (route) => {
      const key = Object(route.schema);
      const serializer = cache.get(key) ?? compile(route);
      cache.set(key, serializer);
      return serializer;
    };
  };
}

export function addValidation(app: FastifyInstance): void {
  app.setSchemaErrorFormatter(problemWith(app.config));
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (!isUtf8(body)) return done(malformed('The body is not UTF-8.'));
      const text = body.toString();
      const rounded = roundedNumber(text);
      if (rounded !== undefined) {
        return done(malformed(`${rounded} would be rounded: send numbers beyond 2^53 as text.`));
      }
      return parseJson(request, text, (error, value) => {
        // What reads the value may call itself once a level.
        const isTooDeep = !error && isDeeper(value, maxDepth);
        done(isTooDeep ? malformed('The body is nested too deeply.') : error, value);
      });
    },
  );
}

/** All faults of a part of the request are reported at once. */
export function problemWith({ auth: { passwordMinLength } }: Config) {
  const password = `must have at least ${passwordMinLength} characters and at most 72 bytes`;
  const describe = describeWith({ ...formatMessages, password });
  return (errors: readonly FastifySchemaValidationError[], part: string): Problem =>
    invalid(errors.slice(0, maxFaults).map((error) => describe(error, part)));
}

/** Node has the names of headers in lower case. */
function withLowerCaseNames(schema: {
  readonly properties?: object;
  readonly required?: readonly string[];
}): object {
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, type]) => [name.toLowerCase(), type])),
    required: schema.required?.map((name) => name.toLowerCase()) ?? [],
  };
}

function malformed(detail: string): Problem {
  return new Problem(422, 'malformed_body', detail);
}

/** The first whole number outside of texts that JavaScript would take for another one. */
function roundedNumber(json: string): string | undefined {
  if (!/\d{16}/.test(json)) return undefined;
  const numbers = json
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .match(/(?<![\w.+-])-?\d{16,}(?![\d.e])/gi);
  return numbers?.find(
    (digits) => !Number.isFinite(Number(digits)) || BigInt(digits) !== BigInt(Number(digits)),
  );
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

type Messages = Readonly<Record<string, string>>;

function describeWith(formatMessages: Messages) {
  return (error: FastifySchemaValidationError, part: string): Fault => {
    const { keyword, params } = error;
    const path = [...pathOf(error.instancePath), ...propertyOf(error)];
    const isBody = part === 'body';
    const expected =
      keyword === 'format' ? formatMessages[String(params.format)] : messages[keyword]?.(params);
    const { code, msg } =
      keyword === 'additionalProperties'
        ? unknown[isBody ? 'field' : 'parameter']
        : {
            code: keyword === 'required' ? 'missing' : keyword,
            msg: expected ?? error.message ?? 'is invalid',
          };
    const pointer = `#${path.map((name) => `/${pointerPart(String(name))}`).join('')}`;
    return { loc: [locations[part] ?? part, ...path], ...(isBody && { pointer }), code, msg };
  };
}

const unknown = {
  field: { code: 'unknown_field', msg: 'is not a field that can be written here' },
  parameter: { code: 'unknown_parameter', msg: 'is not a parameter of this call' },
};

const locations: Messages = { querystring: 'query', params: 'path', headers: 'header' };

/** `/tags/0` → `tags`, `0` */
function pathOf(instancePath: string): readonly (string | number)[] {
  const parts = instancePath.split('/').slice(1);
  return parts.map((part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return /^\d+$/.test(name) ? Number(name) : name;
  });
}

/** A missing or unknown property is a fault of that property, not of the object around it. */
function propertyOf({ params }: FastifySchemaValidationError): readonly string[] {
  const name: unknown = params.missingProperty ?? params.additionalProperty;
  return typeof name === 'string' ? [name] : [];
}

const messages: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => 'is required',
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`,
};

const formatMessages: Messages = {
  ...Object.fromEntries(
    Object.entries(typeOfFormat).map(([format, type]) => [
      format,
      `must be ${wireTypes[type].expected}`,
    ]),
  ),
  text: 'must hold neither NUL nor half of a surrogate pair',
};
