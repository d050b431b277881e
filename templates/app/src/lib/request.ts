import type { FastifyRequest } from 'fastify';
import { readQueryString } from './list/query-string.ts';
import type { ListRequest } from './list.ts';
import { parseId, parseUuid } from './ids.ts';
import { unknownName } from './nearest.ts';
import { invalid, notFound, queryFault } from './problem.ts';
import type { Resource } from './resource.ts';
import type { NewRow, RowChange, RowRequest } from './rows.ts';

/** What the lists and the rows need to know of an HTTP request. */
type Asked = Pick<FastifyRequest, 'raw' | 'headers' | 'params' | 'user'>;

export function listRequest(request: Asked): ListRequest {
  return {
    viewer: request.user,
    query: queryOf(request),
    filter: header(request, 'x-filter'),
    fields: header(request, 'x-fields'),
  };
}

/** The row that a path names. */
export function rowRequest(request: Asked, resource: Resource): RowRequest {
  const { params } = request;
  const id = typeof params === 'object' && params !== null && 'id' in params && params.id;
  if (typeof id !== 'string') throw notFound();
  return {
    viewer: request.user,
    id: resource.id === 'int' ? parseId(id) : parseUuid(id),
    selection: selectionIn(request),
    ifMatch: header(request, 'if-match'),
  };
}

export function newRow<Values extends object>(request: Asked, values: Values): NewRow<Values> {
  return { viewer: request.user, values, selection: selectionIn(request) };
}

export function rowChange<Values extends object>(
  request: Asked,
  resource: Resource,
  values: Partial<Values>,
): RowChange<Values> {
  return { ...rowRequest(request, resource), values };
}

/** The only parameter of a single row: `fields`, or the header that says the same. */
function selectionIn(request: Asked): string | undefined {
  const fromHeader = header(request, 'x-fields')?.trim().replace(/^\+$/, '*');
  const query = queryOf(request);
  if (query === '') return fromHeader;
  const { parameters, faults } = readQueryString(query);
  const unknown = parameters
    .filter(({ name }) => name !== 'fields')
    .map(({ name }) => queryFault(name, 'unknown_parameter', unknownName(name, ['fields'])));
  if (faults.length + unknown.length > 0) throw invalid([...faults, ...unknown]);
  return parameters[0]?.value ?? fromHeader;
}

function queryOf({ raw: { url = '' } }: Asked): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

function header({ headers }: Asked, name: string): string | undefined {
  return headers[name]?.toString();
}
