import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { violation } from '../database/errors.ts';
import { conflict, inUse, notFound, Problem, unavailable } from '../lib/problem.ts';
import { pathOf } from '../lib/request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** OAuth 2 clients call this route, so its errors have their format as well (RFC 6749, section 5.2). */
    readonly oauth?: true;
  }
}

/** Every error is answered as `application/problem+json` (RFC 9457). */
export function addErrors(app: FastifyInstance): void {
  const allowedMethods = routeTable(app);

  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? missingRoute(request, allowedMethods(pathOf(request))) : undefined);
  });
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => sendProblem(notFound(), request, reply));
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error, reply);
  request.problem = problem;
  const event = events[problem.code];
  if (event !== undefined) request.log.warn({ event });
  if (problem.status >= 500) request.log.error({ err: error, code: problem.code });
  const { oauth } = request.routeOptions.config;
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...challenge(problem, request), ...problem.headers })
    .type(oauth ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8')
    .send(JSON.stringify({ ...problemBody(problem, request), ...(oauth && oauthError(problem)) }));
}

/** Events that people who watch the log look for by name. */
const events: Readonly<Record<string, string>> = {
  invalid_credentials: 'login_failed',
  too_many_requests: 'throttled',
};

/** A 401 says how to authenticate (RFC 9110, section 15.5.2). */
function challenge({ status }: Problem, { server }: FastifyRequest) {
  return status === 401 && { 'www-authenticate': `Bearer realm="${server.config.name}"` };
}

function problemBody(problem: Problem, request: FastifyRequest) {
  return {
    type: 'about:blank',
    title: STATUS_CODES[problem.status],
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    instance: pathOf(request),
    request_id: request.id,
    errors: problem.errors,
  };
}

function oauthError({ status, detail }: Problem) {
  return { error: oauthErrors[status] ?? 'invalid_request', error_description: detail };
}

const oauthErrors: Readonly<Record<number, string>> = {
  401: 'invalid_grant',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

function asProblem(error: unknown, reply: FastifyReply): Problem {
  if (error instanceof Problem) return error;
  const refused = violation(error);
  if (refused) return violationProblems[refused.kind]();
  const { code = '' }: { readonly code?: unknown } = Object(error);
  const known = frameworkProblems[String(code)];
  return known ? new Problem(...known) : problemWithStatus(error, reply);
}

/** For your own statements; those of `lib/write.ts` name the fields. */
const violationProblems = {
  unique: () => conflict([]),
  check: () => new Problem(422, 'check_failed', 'Values do not fit together.'),
  foreign_key: inUse,
  too_large: () => new Problem(422, 'value_too_large', 'A value is too large for the database.'),
  unavailable,
};

/**
 * An error that has a status keeps it, as in any Fastify app: those of plugins, of `@fastify/sensible`, your own. The
 * client gets the message if it can do something about it; the rest is for the log.
 */
function problemWithStatus(error: unknown, { statusCode }: FastifyReply): Problem {
  const stated: Stated = Object(error);
  const status = [stated.statusCode, stated.status, statusCode].find(isErrorStatus) ?? 500;
  if (status === 500) return new Problem(500, 'internal_error', internal);
  const title = STATUS_CODES[status] ?? 'Error';
  const code = typeof stated.code === 'string' && isPlain.test(stated.code) && stated.code;
  const detail = status < 500 && stated.expose !== false && stated.message;
  return new Problem(
    status,
    code || title.toLowerCase().replaceAll(/\W+/g, '_'),
    detail || `${title}.`,
    { headers: stated.headers ?? {} },
  );
}

/** What errors of http-errors, Fastify and other libraries carry. */
interface Stated {
  readonly message?: string;
  readonly statusCode?: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly expose?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Codes in the style of this API, unlike a library's `FST_ERR_VALIDATION`. */
const isPlain = /^[a-z][a-z0-9_]*$/;

function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600;
}

const internal = 'Internal error. Quote the request id when you report it.';
const malformed = [422, 'malformed_body', 'The body is not well-formed.'] as const;

/** https://fastify.dev/docs/latest/Reference/Errors/ */
const frameworkProblems: Readonly<Record<string, readonly [number, string, string]>> = {
  FST_ERR_BAD_URL: [404, 'not_found', 'Not found.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not_found', 'Not found.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'Send the body as JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed,
  FST_ERR_CTP_EMPTY_JSON_BODY: [
    422,
    'malformed_body',
    'The body is empty: send JSON, or leave out the header `Content-Type`.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: malformed,
  FST_ERR_HANDLER_TIMEOUT: [503, 'unavailable', 'The answer took too long.'],
};

function missingRoute(request: FastifyRequest, allowed: readonly string[]): Problem {
  if (allowed.length === 0) return notFound();
  return new Problem(405, 'method_not_allowed', `${request.method} is not possible here.`, {
    headers: { allow: allowed.join(', ') },
  });
}

/** Finds the methods that a path has, for requests that no route serves. */
function routeTable(app: FastifyInstance): (path: string) => readonly string[] {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // `/api/posts/:id` → a pattern for `/api/posts/7` and `/api/posts/7/`
    const pattern = url.replace(/\/$/, '').replaceAll(/:[^/]+|[^\w/-]/g, (part) => {
      if (part === '*') return '.*';
      return part.startsWith(':') ? '[^/]+' : `\\${part}`;
    });
    routes.push({ pattern: new RegExp(`^${pattern}/?$`), methods: [method].flat() });
  });
  return (path) => {
    const matching = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => methods))].toSorted();
  };
}
