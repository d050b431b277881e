/** The part of an OpenAPI document that says which lists and creations there are. */
export interface OpenApi {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: object }>> };
}

type Row = Readonly<Record<string, unknown>>;

/** A list of the document, with what plain requests see of it. */
export interface KnownList {
  readonly name: string;
  readonly path: string;
  /** By each value of one row that a query can hold. */
  readonly filter: Row;
  /** Of the rows that the filter is true of, and of two pages of one row: the ids. */
  readonly pages: readonly (readonly unknown[])[];
}

export async function knownLists(
  { paths }: OpenApi,
  { url, authorization }: { readonly url: string; readonly authorization: string },
): Promise<readonly KnownList[]> {
  const lists: KnownList[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (get?.operationId.startsWith('list') !== true) continue;
    const all = `${url}${path}?limit=1000&order_by=id`;
    const response = await fetch(all, { headers: { authorization } });
    const { items }: { items: readonly Row[] } = Object(await response.json());
    const filters = items.map((row) => filterLike(row, get));
    const [filter = {}] = filters.toSorted((left, right) => sizeOf(right) - sizeOf(left));
    const isFound = (row: Row) =>
      Object.entries(filter).every(([name, value]) => row[name] === value);
    const pages = [items.filter(isFound), items.slice(0, 1), items.slice(1, 2)];
    lists.push({
      name: get.operationId,
      path,
      filter,
      pages: pages.map((page) => page.map(({ id }) => id)),
    });
  }
  return lists;
}

function filterLike(row: Row, { parameters = [] }: Operation): Row {
  const known = Object.entries(row).filter(
    ([name, value]) => isPlain(value) && parameters.some((it) => it.name === name),
  );
  return Object.fromEntries(known);
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

const sizeOf = (row: Row) => Object.keys(row).length;

/** How the client of a generator is called: a page of a list, and the status of a creation. */
interface Dialect {
  readonly start: string;
  list(call: { name: string; path: string; query: string }): string;
  create(call: { name: string; path: string; body: string }): string;
}

export const dialects = {
  'openapi-fetch': {
    start: `
      import createClient from 'openapi-fetch';
      import type { paths } from './schema.ts';
      const api = createClient<paths>({ baseUrl: url, headers: { authorization } });`,
    list: ({ path, query }) => `(await api.GET('${path}', { params: { query: ${query} } })).data`,
    create: ({ path, body }) => `(await api.POST('${path}', { body: ${body} })).response.status`,
  },
  'hey-api': {
    start: `
      import { client } from './hey-api/client.gen.ts';
      import * as api from './hey-api/sdk.gen.ts';
      client.setConfig({ baseUrl: url, headers: { authorization } });`,
    list: ({ name, query }) => `(await api.${name}({ query: ${query} })).data`,
    create: ({ name, body }) => `(await api.${name}({ body: ${body} })).response?.status`,
  },
  orval: {
    start: `
      import * as api from './orval/api.ts';
      const plainFetch = globalThis.fetch;
      globalThis.fetch = (path, more) => plainFetch(url + String(path), more);
      const init = { headers: { authorization } };
      const pageOf = <Answer extends { status: number; data: unknown }>({ status, data }: Answer) =>
        status === 200 ? (data as Extract<Answer, { status: 200 }>['data']) : undefined;`,
    list: ({ name, query }) => `pageOf(await api.${name}(${query}, init))`,
    create: ({ name, body }) => `(await api.${name}(${body}, {}, init)).status`,
  },
} satisfies Readonly<Record<string, Dialect>>;

/**
 * Asks each list for the rows like one that is there and for the first two, page by page, and creates what the document
 * has as an example of a row. Prints what it is answered.
 */
export function programOf(
  { paths }: OpenApi,
  lists: readonly KnownList[],
  { start, list, create }: Dialect,
): string {
  const reads = lists.map(({ name, path, filter }) => {
    const pageOf = (query: object) => list({ name, path, query: JSON.stringify(query) });
    return `{
      const found = ${pageOf({ order_by: 'id', ...filter })};
      const first = ${pageOf({ limit: 1, order_by: 'id' })};
      const second = ${list({ name, path, query: "{ limit: 1, order_by: 'id', cursor: first?.next_cursor ?? '' }" })};
      pages.${name} = [found, first, second].map((page) => page?.items.map(({ id }) => id));
    }`;
  });
  const creations = Object.entries(paths).flatMap(([path, { post }]) => {
    const body = JSON.stringify(post?.requestBody?.content['application/json']?.example ?? {});
    const name = post?.operationId ?? '';
    return name.startsWith('create') ? [`created.${name} = ${create({ name, path, body })};`] : [];
  });
  return [
    "const { SERVER_URL: url = '', AUTHORIZATION: authorization = '' } = process.env;",
    start,
    'const pages: Record<string, unknown> = {};',
    'const created: Record<string, unknown> = {};',
    ...reads,
    ...creations,
    'console.log(JSON.stringify({ pages, created }));',
  ].join('\n');
}
