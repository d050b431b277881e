import { STATUS_CODES } from 'node:http';
import { problemSchema as schema } from './problem.ts';

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

/** For the document: each operation may be what such a request was meant for. */
export const brokenRequestAnswers = Object.fromEntries(
  Object.entries(codes).map(([status, code]) => {
    const description = `${STATUS_CODES[status] ?? 'Error'}: \`${code}\``;
    return [status, { description, content: { 'application/problem+json': { schema } } }];
  }),
);
