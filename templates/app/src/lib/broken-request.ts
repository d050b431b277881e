import { STATUS_CODES } from 'node:http';

/** What no route is asked about: requests that are no HTTP, too long, too slow, or expect what this server does not do. */
const codes = {
  400: 'bad_request',
  408: 'request_timeout',
  414: 'uri_too_long',
  417: 'expectation_failed',
  431: 'headers_too_large',
} as const;

export type BrokenStatus = keyof typeof codes;

/** All that can be said of a request that was not read. */
export function brokenRequestBody(status: BrokenStatus) {
  const title = STATUS_CODES[status] ?? 'Error';
  return { type: 'about:blank', title, status, detail: `${title}.`, code: codes[status] };
}

const text = { type: 'string' };

const schema = {
  title: 'BrokenRequest',
  description: 'RFC 9457. The request was not read, so no more is known of it.',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: { type: text, title: text, status: { type: 'integer' }, detail: text, code: text },
  examples: [brokenRequestBody(400)],
};

/** For the document: each operation may be what such a request was meant for. */
export const brokenRequestAnswers = Object.fromEntries(
  Object.entries(codes).map(([status, code]) => {
    const description = `${STATUS_CODES[status] ?? 'Error'}: \`${code}\``;
    return [status, { description, content: { 'application/problem+json': { schema } } }];
  }),
);
