import type { Chance } from './chance.ts';
import { type Document, type Route, routesOf } from './document.ts';
import type { Received, Sent } from './send.ts';
import { nested, oddTexts, oddValues, valueMaker } from './values.ts';

/** A request while it is put together; the last step writes it out. */
interface Draft {
  method: string;
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  json?: unknown;
  /** Takes the place of the JSON. */
  body?: string | Buffer;
  /** Takes the place of the path and the query. */
  address?: string;
}

/** Auth hashes passwords, which is slow, so it gets only a small share. */
const share = (path: string) => (/^\/auth\/(token|register|change|reset)/.test(path) ? 1 : 8);

/** Requests that follow the document, and requests that leave it at one or two places. */
export function requestMaker(document: Document, chance: Chance) {
  const routes = routesOf(document).flatMap((route) =>
    Array.from({ length: share(route.path) }, () => route),
  );
  const valueOf = valueMaker(document, chance);
  const seen = memory(chance);

  const draftOf = ({ path, method, operation }: Route): Draft => {
    const draft: Draft = { method, path: '', query: [], headers: {} };
    draft.path = path.replaceAll(/\{\w+\}/g, () => seen.id(path) ?? '1');
    for (const { name, in: place, schema = {} } of operation.parameters ?? []) {
      if (place === 'query' && chance.oneIn(4)) {
        draft.query.push([name, queryText(seen, name, valueOf(schema), path)]);
      }
      if (place === 'header' && chance.oneIn(4)) draft.headers[name] = seen.etag();
    }
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (schema !== undefined) {
      draft.json = withKnownKeys(valueOf(schema), seen);
      draft.headers['content-type'] = 'application/json';
    }
    return draft;
  };

  return {
    seen,
    next(): Sent {
      const draft = draftOf(
        chance.one(routes) ?? { path: '/', method: 'GET', operation: { responses: {} } },
      );
      const count = chance.one([0, 0, 0, 1, 1, 1, 2]);
      for (let change = 0; change < count; change += 1) chance.one(mutations)(draft, chance);
      return written(draft);
    },
  };
}

/** Ids, ETags and cursors of earlier answers, the latest of them. */
function memory(chance: Chance) {
  const ids = new Map<string, string[]>();
  const etags: string[] = [];
  const cursors: string[] = [];
  return {
    note({ path }: Sent, { headers, body }: Received): void {
      if (typeof headers.etag === 'string') keep(etags, headers.etag);
      const value: unknown = body.startsWith('{') ? JSON.parse(body) : {};
      const { id, items, next_cursor: cursor } = Object(value);
      if (typeof cursor === 'string') keep(cursors, cursor);
      const base = resourceOf(path);
      const list = ids.get(base) ?? [];
      ids.set(base, list);
      if (id !== undefined) keep(list, String(id));
      if (Array.isArray(items))
        for (const row of items.slice(0, 5)) keep(list, String(Object(row).id ?? 1));
    },
    id: (path: string) => chance.one(ids.get(resourceOf(path)) ?? []),
    anyId: () => chance.one([...ids.values()].flat()),
    etag: () => chance.one(etags) ?? '"x"',
    cursor: () => chance.one(cursors) ?? 'x',
  };
}

function keep(list: string[], text: string): void {
  list.push(text);
  if (list.length > 40) list.shift();
}

/** `/api/posts/7/restore?fields=id` and `/api/posts/{id}` → `/api/posts` */
function resourceOf(address: string): string {
  const [path = ''] = address.split('?', 1);
  return path.replace(/\/(\{|\d+|[\da-f]{8}-).*$|\/$/, '');
}

type Memory = ReturnType<typeof memory>;

function queryText(seen: Memory, name: string, value: unknown, path: string): string {
  if (name === 'cursor') return seen.cursor();
  if (name === 'limit') return String(Math.min(Number(value) || 0, 50));
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? path.length);
}

/** `post_id` of a row that is there. */
function withKnownKeys(value: unknown, seen: Memory): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const id = /_ids?$/.test(name) ? seen.anyId() : undefined;
      if (id === undefined || part === null) return [name, part];
      const key = /^\d+$/.test(id) ? Number(id) : id;
      return [name, name.endsWith('_ids') ? [key] : key];
    }),
  );
}

type Mutation = (draft: Draft, chance: Chance) => void;

const filters = [
  '["|",[["id","=",1],["id",">",2]]]',
  '["&",[]]',
  '["!",["id","=",1]]',
  '[["id","in",[1,2,3]]]',
  '["id","icontains","x"]',
  '{"id":1}',
  '[',
  'null',
  '[[[[[[[[[[[[["id","=",1]]]]]]]]]]]]]',
  '["__proto__","=",1]',
  '["id","=",{"$ne":1}]',
  '["id","=",1e999]',
  '["title","contains","\\ud800"]',
  '["name","icontains","%\\u0000"]',
  `["|",[${'["id","=",1],'.repeat(60)}["id","=",2]]]`,
] as const;

const parameters = [
  'limit',
  'offset',
  'cursor',
  'order_by',
  'fields',
  'filter',
  'count',
  'deleted',
  'id',
  'id__in',
  'created_at__between',
  'title__icontains',
  'name__eq',
  'author.name__icontains',
  'tags.name',
  'comments.author.posts.title',
  '__proto__',
  'constructor[prototype]',
  'limit[]',
  'title__nope',
  'password',
  'email__startswith',
  'role',
  'access_token',
] as const;

const parameterValues = [
  '1',
  '0',
  '-1',
  '1000',
  '1001',
  '1e2',
  '999999999999999999999',
  'exact',
  'none',
  'estimated',
  'only',
  'with',
  'id',
  '-id',
  '-created_at,id',
  'id,id,id,id,id,id',
  '*',
  'id,title',
  'author.*',
  '2026-01-01T00:00:00Z,2027-01-01T00:00:00Z',
  'true',
  'a,b',
] as const;

const mediaTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/JSON',
  'application/json;',
  'application/problem+json',
  'json',
  '',
  '*/*',
  'application/json, text/plain',
] as const;

const rawBodies: readonly (string | Buffer)[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1',
  '{"a":1,"a":2}',
  '{"email":"a@example.test","email":"b@example.test"}',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '{"\\ud800":1}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"id":1e999}',
  '{"id":-0}',
  `{"id":${'9'.repeat(400)}}`,
  '['.repeat(5000),
  '['.repeat(31) + ']'.repeat(31),
  '{"a":'.repeat(2000) + '1' + '}'.repeat(2000),
  `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  `"${'x'.repeat(300_000)}"`,
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
  'username=a&username=b&password=c',
  'grant_type=password&username=%FF&password=%00',
  '\r\n\r\nGET / HTTP/1.1\r\n\r\n',
];

const pathParts = [
  '0',
  '01',
  '1.0',
  '1e3',
  '-1',
  '9223372036854775808',
  '99999999999999999999999999',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%C0%AF',
  '%ED%A0%80',
  '%2e%2e%2f',
  '..',
  '.',
  '%F0%9F%99%82',
  'a'.repeat(101),
  '1;a=b',
  '1%20',
  '1%2F2',
  '__proto__',
  '*',
  '{id}',
  ':id',
  '00000000-0000-0000-0000-000000000000',
] as const;

const oddHeaders: readonly (readonly [string, string])[] = [
  ['expect', 'nonsense'],
  ['expect', '100-continue'],
  ['if-match', '*'],
  ['if-match', '"a", "b"'],
  ['if-match', 'W/"x"'],
  ['if-match', ','],
  ['if-match', '"'],
  ['if-match', 'ä'],
  ['if-none-match', '*'],
  ['if-none-match', '"a",,W/"b'],
  ['if-none-match', '"'.repeat(4000)],
  ['accept', 'application/xml'],
  ['accept-encoding', 'gzip;q=nope'],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer a.b.c'],
  ['authorization', 'bearer  x y'],
  ['authorization', 'Basic YTpi'],
  ['authorization', `Bearer ${'a'.repeat(6000)}`],
  ['x-request-id', 'a b"c'],
  ['x-request-id', 'x'.repeat(200)],
  ['x-forwarded-for', '1.2.3.4, 5.6.7.8'],
  ['forwarded', 'for="_x"'],
  ['x-forwarded-host', 'evil.test'],
  ['origin', 'null'],
  ['origin', 'https://evil.test'],
  ['host', 'evil.test'],
  ['range', 'bytes=0-1'],
  ['content-encoding', 'gzip'],
  ['transfer-encoding', 'chunked'],
  ['x-http-method-override', 'DELETE'],
  ['cookie', 'a=b; __proto__=c'],
  ['te', 'trailers'],
  ['upgrade', 'websocket'],
  ['access-control-request-method', 'DELETE'],
];

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'M-SEARCH',
] as const;

/** Each leaves the document at one place. */
const mutations: readonly [Mutation, ...Mutation[]] = [
  // A value of a body.
  (draft, chance) => {
    if (typeof draft.json !== 'object' || draft.json === null) return;
    const names = [...Object.keys(draft.json), 'extra', '__proto__', 'role', 'id', '\ud800'];
    const name = chance.one(names) ?? '';
    const odd = chance.oneIn(2) ? chance.one(oddTexts) : chance.one(oddValues);
    const entries = Object.entries(draft.json).filter(([key]) => key !== name);
    draft.json = Object.fromEntries([...entries, [name, odd]]);
  },
  // A body without something.
  (draft, chance) => {
    if (typeof draft.json !== 'object' || draft.json === null) return;
    const entries = Object.entries(draft.json);
    entries.splice(chance.below(entries.length + 1), 1);
    draft.json = Object.fromEntries(entries);
  },
  (draft, chance) => {
    draft.json = chance.oneIn(2) ? chance.one(oddValues) : nested(chance.below(60));
    draft.headers['content-type'] ??= 'application/json';
  },
  (draft, chance) => {
    draft.body = chance.one(rawBodies) ?? '';
    draft.headers['content-type'] ??= 'application/json';
  },
  (draft, chance) => {
    draft.headers['content-type'] = chance.one(mediaTypes);
    draft.body ??= draft.json === undefined ? 'a=b' : JSON.stringify(draft.json);
  },
  // A parameter, once or twice.
  (draft, chance) => {
    const value = chance.oneIn(3) ? (chance.one(oddTexts) ?? '') : chance.one(parameterValues);
    draft.query.push([chance.one(parameters), value]);
  },
  (draft, chance) => {
    draft.query.push(['filter', chance.one(filters)]);
  },
  (draft, chance) => {
    const [name, value] = chance.one(draft.query) ?? ['cursor', 'eyJhIjoxfQ'];
    const at = chance.below(value.length + 1);
    const altered =
      value.slice(0, at) + (chance.one(['', 'A', '=', '\0', 'é']) + value.slice(at + 1));
    draft.query = [...draft.query.filter(([other]) => other !== name), [name, altered]];
  },
  (draft, chance) => {
    const address = `${draft.path}${chance.one(['?', '?&&&', '?=', '?%', '?a', '?limit=1&limit=2', '?%ff=%ff', '?a[b][c]=1', '#x', '//', '/.', ';x', '%2f', `?title=${'x'.repeat(7000)}`, `?x=${'x'.repeat(20_000)}`, '?limit=%31', '?%6cimit=1', '?limit=1%00', '?filter=%5B%22id%22', '?limit=١'] as const)}`;
    // Letters beyond ASCII cannot be written in a request line.
    draft.address = [...address]
      .map((letter) => (letter > '~' ? encodeURIComponent(letter) : letter))
      .join('');
  },
  (draft, chance) => {
    const parts = draft.path.split('/');
    parts[1 + chance.below(parts.length)] = chance.one(pathParts);
    draft.path = parts.join('/');
  },
  (draft, chance) => {
    draft.path =
      draft.path.toUpperCase() === draft.path
        ? `/${draft.path}`
        : chance.one([
            `/${draft.path}`,
            draft.path.toUpperCase(),
            `${draft.path}/`,
            `/.${draft.path}`,
            draft.path.replace('/', '/%61pi/'),
          ]);
  },
  (draft, chance) => {
    draft.method = chance.one(methods);
  },
  (draft, chance) => {
    const [name, value] = chance.one(oddHeaders) ?? ['te', 'x'];
    draft.headers[name] = value;
    if (name === 'transfer-encoding') draft.headers['content-length'] = '';
  },
];

function written(draft: Draft): Sent {
  const { method, headers, json } = draft;
  const query = draft.query.map(([name, value]) => `${percent(name)}=${percent(value)}`).join('&');
  const path = draft.address ?? `${draft.path || '/'}${query === '' ? '' : `?${query}`}`;
  const body = draft.body ?? (json === undefined ? undefined : JSON.stringify(json));
  const sent = {
    method,
    path: path.replaceAll(/[^\x21-\x7e]/g, percent),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?'),
      ]),
    ),
    ...(body !== undefined && { body }),
  };
  const isPlain = draft.body === undefined && headers['content-type'] === 'application/json';
  if (sent.headers['content-length'] === '') delete sent.headers['content-length'];
  return isPlain ? { ...sent, json: JSON.parse(String(body)) } : sent;
}

/** Half of a surrogate pair, which no URI can hold, as the three bytes that careless programs write. */
function percent(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}
