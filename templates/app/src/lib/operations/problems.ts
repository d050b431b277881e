import { STATUS_CODES } from 'node:http';

const exampleFault = {
  loc: ['body', 'email'],
  pointer: '#/email',
  code: 'missing',
  msg: 'is required',
};

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
  examples: [exampleFault],
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

const details: Readonly<Record<string, string>> = {
  email_taken: 'There is an account with this address already.',
  invalid_reset_token: 'The token is unknown, expired or used.',
  invalid_credentials: 'The email or the password is wrong.',
  in_use: 'Other rows refer to this one.',
  validation_error: '1 value is invalid.',
  malformed_body: 'The body is not well-formed.',
  too_many_requests: 'Try again in 60 seconds.',
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
  examples: [exampleOf(404, 'Not Found', 'not_found')],
};

type Answers = Readonly<Record<number, object>>;

/** The answers of these statuses, for a route's schema; any route may fail with 500 and 503. */
export function problems(...statuses: readonly number[]): Answers {
  return problemsAs('application/problem+json', ...statuses);
}

export function problemsAs(mediaType: string, ...statuses: readonly number[]): Answers {
  const answers = [...statuses, 500, 503].map((status) => {
    const title = STATUS_CODES[status] ?? 'Error';
    const known = codes[status] ?? [title.toLowerCase().replaceAll(/\W+/g, '_')];
    const examples = known.map((code) => [code, { value: exampleOf(status, title, code) }]);
    const media = { schema: problem, examples: Object.fromEntries(examples) };
    const description = `${title}: ${known.map((code) => `\`${code}\``).join(', ')}`;
    return [status, { description, content: { [mediaType]: media } }] as const;
  });
  return Object.fromEntries(answers);
}

function exampleOf(status: number, title: string, code: string): object {
  return {
    type: 'about:blank',
    title,
    status,
    detail: details[code] ?? `${title}.`,
    code,
    instance: '/path/of/the/request',
    request_id: '018f2f3e-7a5b-7c1d-9e2f-3a4b5c6d7e8f',
    ...(code === 'validation_error' && {
      errors: [exampleFault],
    }),
  };
}
