/** One wrong value of a request. */
export interface Fault {
  /** Where it is: `['body', 'email']`, `['query', 'limit']`. */
  readonly loc: readonly (string | number)[];
  /** JSON pointer into the body, as a URI fragment: `#/email`. */
  readonly pointer?: string;
  readonly code: string;
  readonly msg: string;
}

/** Called with what is wrong with one value, so that one answer can name everything that is. */
export type Complain = (code: string, msg: string) => void;

interface ProblemOptions {
  readonly errors?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer other than success, thrown from anywhere and printed by `plugins/errors.ts` (RFC 9457). */
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

/** For a viewer who may not do this: those without a login are asked for one. */
export function refusal(viewer: object | null): Problem {
  return viewer === null ? unauthorized() : forbidden();
}

export function notFound(detail = 'Not found.'): Problem {
  return new Problem(404, 'not_found', detail);
}

/** Another row holds these values already. */
export function conflict(fields: readonly string[]): Problem {
  const errors = fields.map((field) => bodyFault(field, 'taken', 'is taken by another row'));
  return new Problem(409, 'conflict', `${listed(fields)} must be unique.`, { errors });
}

/** A row that was there when it was looked for, and went away. */
export function missingRow(): Problem {
  return invalid([
    { loc: ['body'], pointer: '#', code: 'not_found', msg: 'names a row that does not exist' },
  ]);
}

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

/** RFC 6901, section 6. Half of a surrogate pair, which no URI can hold, is replaced. */
export function pointerPart(name: string): string {
  const text = Buffer.from(name).toString();
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function listed(fields: readonly string[]): string {
  return fields.length === 0 ? 'A value' : fields.map((field) => `\`${field}\``).join(' and ');
}
