import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from './list/page.ts';
import { notFound } from './problem.ts';
import { etagOf, namesEtag, selectionIn } from './request.ts';
import type { Id, Resource } from './resource.ts';
import { readRow } from './rows.ts';

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
  // Text from the database, past the serializer: every field in it was asked of `schema.ts` by name.
  return reply.type(json).send(body);
}

/** 200 with the row's `ETag`, cut to the fields that were asked for; 304 to one who has that; 404 when there is none. */
export async function sendRow<Row extends { readonly id: Id }>(
  reply: FastifyReply,
  resource: Resource,
  row: Row | undefined,
): Promise<FastifyReply> {
  if (row === undefined) throw notFound();
  const { request } = reply;
  const selection = selectionIn(request, resource);
  const asked = { viewer: request.user, id: row.id };
  const shown =
    selection === undefined
      ? row
      : await readRow<Row>(request.server.reader, resource, asked, selection);
  const version = etagOf(row);
  const etag = shown === row ? version : etagOf(shown, version);
  reply.header('etag', etag);
  const known = request.method === 'GET' ? request.headers['if-none-match'] : undefined;
  if (known !== undefined && namesEtag(known, etag)) return reply.code(304).send();
  // Or a row without a field `toString` would be taken to have one.
  return reply.type(json).send({ __proto__: null, ...shown });
}

/** 201 with the address of the new row. */
export function sendCreated<Row extends { readonly id: Id }>(
  reply: FastifyReply,
  resource: Resource,
  row: Row,
): Promise<FastifyReply> {
  const location = `${pathOf(reply.request).replace(/\/$/, '')}/${row.id}`;
  return sendRow(reply.code(201).header('location', location), resource, row);
}

export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}
