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

/** What a status may mean: the codes of its problems. */
const codes: Readonly<Record<number, readonly string[]>> = {
  400: ['email_taken', 'invalid_reset_token', 'invalid_email_token'],
  401: ['unauthorized', 'invalid_token', 'invalid_credentials', 'invalid_refresh_token'],
  403: ['forbidden'],
  404: ['not_found'],
  409: ['conflict', 'in_use', 'last_admin'],
  412: ['precondition_failed'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['validation_error', 'malformed_body'],
  429: ['too_many_requests'],
  500: ['internal_error'],
  503: ['unavailable', 'migrations_pending'],
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
    code: {
      type: 'string',
      enum: Object.values(codes).flat(),
      description: 'For programs: it does not change.',
    },
    instance: { type: 'string' },
    request_id: { type: 'string' },
    errors: { type: 'array', items: fault },
  },
};

type Answers = Readonly<Record<number, object>>;

/** The answers of these statuses, for a route's schema; any route may fail with 500 and 503. */
export function problems(...statuses: readonly number[]): Answers {
  return problemsAs('application/problem+json', ...statuses);
}

export function problemsAs(mediaType: string, ...statuses: readonly number[]): Answers {
  const content = { [mediaType]: { schema: problem } };
  const answers = [...statuses, 500, 503].map((status) => {
    const meanings = (codes[status] ?? []).map((code) => `\`${code}\``).join(', ');
    return [status, { description: `${STATUS_CODES[status]}: ${meanings}`, content }] as const;
  });
  return Object.fromEntries(answers);
}
