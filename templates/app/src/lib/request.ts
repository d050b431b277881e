import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import { isText } from '../database/values.ts';
import type { User } from '../users/schema.ts';
import { inSql } from './access.ts';
import type { Asking, ListRequest } from './list.ts';
import { readQueryString } from './list/query-string.ts';
import type { Resource } from './resource.ts';
import { parseSelection, requireBounded, type Selection } from './selection.ts';
import {
  type Complain,
  type Fault,
  invalid,
  notFound,
  queryFault,
  unauthorized,
  unknownName,
} from './problem.ts';
import type { NewRow, RowRequest } from './rows.ts';

/** What the lists and the rows need to know of an HTTP request. */
type Asked = Pick<FastifyRequest, 'raw' | 'headers' | 'params' | 'user' | 'ip'>;

export function listRequest(request: Asked): ListRequest {
  return { ...askingOf(request), query: queryOf(request) };
}

export function newRow(request: Asked, resource: Resource): NewRow {
  selectionIn(request, resource);
  return askingOf(request);
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
  return { ...askingOf(request), id: parse(id), ifMatch: headers['if-match'] };
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
  const complain: Complain = (code, msg) => faults.push(queryFault('fields', code, msg));
  const asking = { resource, viewer: inSql(request.user) };
  const selection = text === undefined ? undefined : parseSelection(asking, text, complain);
  if (selection !== undefined) requireBounded(resource, { selection, limit: 1 }, complain);
  if (faults.length > 0) throw invalid(faults);
  return selection;
}

export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? url;
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

/** The text in a path that is an id; one that no database holds is not found. */
export function parseTextKey(text: string): string {
  if (!isText(text)) throw notFound();
  return text;
}

/**
 * Names what a row looks like, so that it can be asked for or changed only if it still does (RFC 9110, section 8.8.3).
 * Of a row that is shown in part, the part's name follows that of the whole.
 */
export function etagOf(row: unknown, whole?: string): string {
  const name = hash('sha1', JSON.stringify(row), 'base64url');
  return whole === undefined ? `"${name}"` : `${whole.slice(0, -1)}.${name}"`;
}

/** Whether `If-None-Match` names this very answer; a tag that a proxy has made weak is as good (RFC 9110, section 13.1.2). */
export function namesEtag(header: string, etag: string): boolean {
  return tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/** Whether `If-Match` names the row, shown whole or in part. */
export function namesRow(header: string, row: unknown): boolean {
  const whole = etagOf(row).slice(0, -1);
  return tagsIn(header).some(
    (tag) => tag === '*' || tag.split('.', 1)[0]?.replace(/"$/, '') === whole,
  );
}

function tagsIn(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim());
}

/** Some proxies (Azure's, for one) write `198.51.100.7:4321` or `[2001:db8::1]:4321`. */
export function withoutPort(address: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}

/** Whether an address is one of your proxies; those in between may write their port as well. */
export function proxyTest(networks: readonly string[]): (address: string) => boolean {
  const isInside = proxyAddress.compile([...networks]);
  return (address) => isInside(withoutPort(address), 0);
}

export function askingOf({ user, ip }: Pick<FastifyRequest, 'user' | 'ip'>): Asking {
  return { viewer: user, client: addressRange(ip) };
}

/** A network gets a whole /64 of IPv6 addresses at no cost, so they count as one. */
export function addressRange(from: string): string {
  const address = withoutPort(from);
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (embedded?.[1] !== undefined) return embedded[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
