import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, namesEtagWeakly } from './etag.ts';
import type { Id } from './ids.ts';
import type { Page } from './list/page.ts';
import { notFound } from './problem.ts';

const json = 'application/json; charset=utf-8';

/**
 * The page with what other clients look for in headers: its total, and links to other pages (RFC 8288). Its body is
 * JSON text made by the database, sent as it is: the one answer that the route's response schema does not filter.
 */
export function sendPage(reply: FastifyReply, { body, total, links }: Page): FastifyReply {
  const path = pathOf(reply.request);
  const link = Object.entries(links).map(([rel, query]) => `<${path}?${query}>; rel="${rel}"`);
  if (total !== null) reply.header('x-total-count', total);
  if (link.length > 0) reply.header('link', link.join(', '));
  return sayVary(reply, 'X-Filter, X-Fields').type(json).send(body);
}

/** 200 with the row's `ETag`; 304 to one who has that already; 404 when there is none. */
export function sendRow(
  request: FastifyRequest,
  reply: FastifyReply,
  row: object | undefined,
): FastifyReply {
  if (row === undefined) throw notFound();
  const etag = etagOf(row);
  sayVary(reply, 'X-Fields').header('etag', etag);
  const known = request.method === 'GET' ? request.headers['if-none-match'] : undefined;
  if (known !== undefined && namesEtagWeakly(known, etag)) return reply.code(304).send();
  return reply.type(json).send(row);
}

/** 201 with the address of the new row. */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  row: { readonly id: Id },
): FastifyReply {
  const location = `${pathOf(request).replace(/\/$/, '')}/${row.id}`;
  return sendRow(request, reply.code(201).header('location', location), row);
}

export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}

/** Besides what the answer varies with already. */
function sayVary(reply: FastifyReply, names: string): FastifyReply {
  const before = reply.getHeader('vary');
  return reply.header('vary', before === undefined ? names : `${before.toString()}, ${names}`);
}
