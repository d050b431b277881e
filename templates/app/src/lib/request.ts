import type { FastifyRequest } from 'fastify';
import type { User } from '../users/schema.ts';
import { inSql } from './access.ts';
import { addressRange } from './address.ts';
import type { ListRequest } from './list.ts';
import { readQueryString } from './list/query-string.ts';
import { unknownName } from './path.ts';
import { type Fault, invalid, notFound, queryFault, unauthorized } from './problem.ts';
import type { Resource } from './resource.ts';
import type { NewRow, RowRequest } from './rows.ts';
import { parseSelection, type Selection } from './selection.ts';

/** What the lists and the rows need to know of an HTTP request. */
type Asked = Pick<FastifyRequest, 'raw' | 'headers' | 'params' | 'user'>;

export function listRequest(request: Asked & Pick<FastifyRequest, 'ip' | 'server'>): ListRequest {
  const { server, user } = request;
  const client = server.config.rateLimits ? () => addressRange(request.ip) : undefined;
  return { viewer: user, query: queryOf(request), client };
}

export function newRow(request: Asked, resource: Resource): NewRow {
  selectionIn(request, resource);
  return { viewer: request.user };
}

/** The row that a path names. What is wrong with the query is said before anything is read or written. */
export function rowRequest<RowId>(
  request: Asked,
  resource: Resource,
  parse: (text: string) => RowId,
): RowRequest<RowId> {
  const { params, headers } = request;
  const id = typeof params === 'object' && params !== null && 'id' in params && params.id;
  if (typeof id !== 'string') throw notFound();
  selectionIn(request, resource);
  return { viewer: request.user, id: parse(id), ifMatch: headers['if-match'] };
}

/** What of a row is answered: what the parameter `fields`, the only one of a single row, says; else all of it. */
export function selectionIn(request: Asked, resource: Resource): Selection | undefined {
  const query = queryOf(request);
  if (query === '') return undefined;
  const { parameters, faults: malformed } = readQueryString(query);
  const faults: Fault[] = [...malformed];
  for (const { name } of parameters) {
    if (name === 'fields') continue;
    faults.push(queryFault(name, 'unknown_parameter', unknownName(name, ['fields'])));
  }
  const text = parameters.find(({ name }) => name === 'fields')?.value;
  const selection =
    text === undefined
      ? undefined
      : parseSelection({ resource, viewer: inSql(request.user) }, text, (code, msg) =>
          faults.push(queryFault('fields', code, msg)),
        );
  if (faults.length > 0) throw invalid(faults);
  return selection;
}

function queryOf({ raw: { url = '' } }: Asked): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** For handlers behind `app.authenticate`. */
export function currentUser({ user }: FastifyRequest): User {
  if (user === null) throw unauthorized();
  return user;
}

/** The integer id in a path. Only its canonical form names a row: `01`, `1.0` and `1e3` are not found. */
export function parseId(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id)) throw notFound();
  return id;
}

/** The uuid in a path, in lower case only, so that a row has one address. */
export function parseUuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw notFound();
  return text;
}
