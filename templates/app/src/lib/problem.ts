import { STATUS_CODES } from 'node:http';

/** One wrong value of a request. */
export interface Fault {
  /** Where it is: `['body', 'email']`, `['query', 'limit']`. */
  readonly loc: readonly (string | number)[];
  /** JSON pointer into the body, as a URI fragment: `#/email`. */
  readonly pointer?: string;
  readonly code: string;
  readonly msg: string;
}

/** Reports what is wrong with one value, so that one answer can name everything that is wrong. */
export type Complain = (code: string, msg: string) => void;

interface ProblemOptions {
  readonly errors?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer other than success: thrown anywhere, sent by `plugins/errors.ts` (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  readonly errors: readonly Fault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

export function badRequest(code: string, detail: string): Problem {
  return new Problem(400, code, detail);
}

export function unauthorized(detail = 'Authentication is required.'): Problem {
  return new Problem(401, 'unauthorized', detail);
}

export function forbidden(detail = 'You may not do this.'): Problem {
  return new Problem(403, 'forbidden', detail);
}

/** For a viewer who may not do this: 401 if they are not logged in, 403 if they are. */
export function refusal(viewer: object | null): Problem {
  return viewer === null ? unauthorized() : forbidden();
}

export function notFound(detail = 'Not found.'): Problem {
  return new Problem(404, 'not_found', detail);
}

/** Another row has these values already. */
export function conflict(fields: readonly string[]): Problem {
  const errors = fields.map((field) => bodyFault(field, 'taken', 'is taken by another row'));
  return new Problem(409, 'conflict', `${listed(fields)} must be unique.`, { errors });
}

/** Those who may not see a row do not learn whether it exists. */
export const noSuchRow = 'names a row that does not exist, or that you may not see';

export function inUse(): Problem {
  return new Problem(409, 'in_use', 'Other records refer to this one.');
}

export function preconditionFailed(): Problem {
  return new Problem(412, 'precondition_failed', 'The row has changed since you read it.');
}

export function invalid(errors: readonly Fault[]): Problem {
  const count = errors.length === 1 ? '1 value is' : `${errors.length} values are`;
  return new Problem(422, 'validation_error', `${count} invalid.`, { errors });
}

export function tooMany(seconds: number): Problem {
  return new Problem(429, 'too_many_requests', `Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

export function unavailable(seconds = 1): Problem {
  const headers = { 'retry-after': String(seconds) };
  return new Problem(503, 'unavailable', 'Temporarily unavailable; try again.', { headers });
}

export function bodyFault(field: string, code: string, msg: string): Fault {
  return { loc: ['body', field], pointer: `#/${pointerPart(field)}`, code, msg };
}

export function queryFault(parameter: string, code: string, msg: string): Fault {
  return { loc: ['query', parameter], code, msg };
}

/** `titel` is unknown; did you mean `title`? Allowed: body, title */
export function unknownName(word: string, allowed: readonly string[]): string {
  const guess = nearest(word, allowed);
  const hint = guess === undefined ? '.' : `; did you mean \`${guess}\`?`;
  const list = allowed.length === 0 ? 'Nothing is allowed here.' : `Allowed: ${allowed.join(', ')}`;
  return `\`${word.slice(0, longest)}\` is unknown${hint} ${list}`;
}

/** What a mistyped word most likely stands for, if anything comes close. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const close = candidates
    .map((candidate) => ({ candidate, distance: distance(word.slice(0, longest), candidate) }))
    .filter((it) => it.distance <= Math.ceil(it.candidate.length / 3))
    .toSorted((a, b) => a.distance - b.distance);
  return close[0]?.candidate;
}

const longest = 64;

/** Levenshtein: the fewest insertions, deletions and replacements. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** RFC 6901, section 6. Half of a surrogate pair, which no URI can hold, is replaced. */
export function pointerPart(name: string): string {
  const text = Buffer.from(name).toString();
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The same problem inside one part of the body: `#/title` of the third item is `#/2/title`. */
export function insideOf(part: string | number, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { status, code, detail, headers, errors } = error;
  const moved = errors?.map(({ loc: [where = 'body', ...loc], ...fault }) => ({
    ...fault,
    loc: [where, part, ...loc],
    pointer: `#/${pointerPart(String(part))}${fault.pointer?.slice(1) ?? ''}`,
  }));
  return new Problem(status, code, detail, { headers, ...(moved && { errors: moved }) });
}

function listed(fields: readonly string[]): string {
  return fields.length === 0 ? 'A value' : fields.map((field) => `\`${field}\``).join(' and ');
}

const fault = {
  title: 'Fault',
  type: 'object',
  required: ['loc', 'code', 'msg'],
  properties: {
    loc: {
      type: 'array',
      items: { type: ['string', 'integer'] },
      description: 'Where the value is: `["body", "email"]`.',
    },
    pointer: { type: 'string', description: 'JSON pointer into the body, as a URI fragment.' },
    code: { type: 'string', description: 'For programs: it does not change.' },
    msg: { type: 'string', description: 'For people, to show beside the value.' },
  },
};

export const problemSchema = {
  title: 'Problem',
  description: 'Why a call was refused (RFC 9457).',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: 'Always `about:blank`; `code` says which problem it is.' },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', description: 'The status of the answer.' },
    detail: { type: 'string', description: 'For people.' },
    code: { type: 'string', description: 'For programs: it does not change.' },
    instance: { type: 'string', description: 'Absent when the request could not be read.' },
    request_id: { type: 'string', description: 'Absent when the request could not be read.' },
    errors: { type: 'array', items: fault, description: 'Each value that is wrong.' },
  },
};

/** The codes that the problems of each status may have. */
const codes: Readonly<Record<number, readonly string[]>> = {
  400: ['email_taken', 'invalid_reset_token', 'invalid_email_token'],
  401: ['unauthorized', 'invalid_token', 'invalid_credentials', 'invalid_refresh_token'],
  403: ['forbidden'],
  404: ['not_found'],
  409: ['conflict', 'in_use', 'not_deleted', 'parent_deleted', 'last_admin', 'last_member'],
  412: ['precondition_failed'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['validation_error', 'malformed_body'],
  429: ['too_many_requests'],
  500: ['internal_error'],
  503: ['unavailable'],
};

export const problemType = 'application/problem+json';

type Answers = Readonly<Record<number | 'default', object>>;

/** For a route's schema: the answers with these statuses, and what may happen to any request. */
export function problems(...statuses: readonly number[]): Answers {
  return problemsAs(problemType, ...statuses);
}

const answer = (description: string, type: string) => ({
  description,
  content: { [type]: { schema: problemSchema } },
});

export function problemsAs(mediaType: string, ...statuses: readonly number[]): Answers {
  const known = statuses.map((status) => {
    const title = STATUS_CODES[status] ?? 'Error';
    const meanings = codes[status]?.map((code) => `\`${code}\``).join(', ');
    const description = meanings === undefined ? title : `${title}: ${meanings}.`;
    return [status, answer(description, mediaType)] as const;
  });
  // A request that cannot be read never reaches a route, so it gets the usual media type.
  return { ...Object.fromEntries(known), default: answer(anyProblem, problemType) };
}

/** Requests that never reach a route: not HTTP, too long or too slow. */
const brokenCodes = {
  400: 'bad_request',
  408: 'request_timeout',
  414: 'uri_too_long',
  431: 'headers_too_large',
} as const;

export type BrokenStatus = keyof typeof brokenCodes;

/** All that can be said about a request that could not be read. */
export function brokenRequestBody(status: BrokenStatus) {
  const title = STATUS_CODES[status] ?? 'Error';
  return { type: 'about:blank', title, status, detail: `${title}.`, code: brokenCodes[status] };
}

const anyProblem = `500: \`internal_error\`; 503: \`unavailable\`, with \`Retry-After\`; of requests that cannot be read: ${Object.entries(
  brokenCodes,
)
  .map(([status, code]) => `${status}: \`${code}\``)
  .join(', ')}.`;
