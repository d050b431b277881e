import { STATUS_CODES } from 'node:http';

const fault = {
  title: 'Fault',
  type: 'object',
  required: ['loc', 'code', 'msg'],
  properties: {
    loc: { type: 'array', items: { type: ['string', 'integer'] } },
    pointer: { type: 'string', description: 'JSON pointer into the body, as a URI fragment.' },
    code: { type: 'string' },
    msg: { type: 'string' },
  },
};

const problem = {
  title: 'Problem',
  description: 'RFC 9457.',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'instance', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For people.' },
    code: { type: 'string', description: 'For programs: it does not change.' },
    instance: { type: 'string' },
    request_id: { type: 'string' },
    errors: { type: 'array', items: fault },
  },
};

const codes: Readonly<Record<number, readonly string[]>> = {
  401: ['unauthorized'],
  403: ['forbidden'],
  404: ['not_found'],
  409: ['conflict', 'in_use'],
  412: ['precondition_failed'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['validation_error', 'malformed_body'],
  500: ['internal_error'],
  503: ['unavailable'],
};

/** The answers of these statuses, for a route's schema; any route may fail with 500 and 503. */
export function problems(...statuses: readonly number[]): Readonly<Record<number, object>> {
  return Object.fromEntries([...statuses, 500, 503].map((status) => [status, answer(status)]));
}

function answer(status: number): object {
  const properties = { ...problem.properties, code: { type: 'string', enum: codes[status] ?? [] } };
  return {
    description: STATUS_CODES[status],
    content: { 'application/problem+json': { schema: { ...problem, properties } } },
  };
}
