/** Replaces what two correct servers may answer differently, and nothing else. */
export interface Masks {
  headers(headers: Headers): Record<string, string>;
  body(body: unknown): unknown;
}

/** Said by the transport, not by the server's author. */
const transport = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

const tokens = new Set(['access_token', 'refresh_token', 'next_cursor', 'request_id', 'etag']);
const times = new Set(['created_at', 'updated_at', 'deleted_at']);

/**
 * Ids are numbered by their first appearance, so that the same row keeps the same mark: sequences leave gaps on one
 * engine where the other leaves none. `generated` names fields whose values a server makes up.
 */
export function masks(url: string, generated: readonly string[] = []): Masks {
  const marks = new Map<string, string>();
  const mark = (id: unknown): string => {
    const key = String(id);
    const known = marks.get(key) ?? `<id ${marks.size + 1}>`;
    marks.set(key, known);
    return known;
  };
  const value = (key: string, it: unknown): unknown => {
    if (it === null) return null;
    if (tokens.has(key) || generated.includes(key)) return `<${key}>`;
    if (times.has(key) && isTime(it)) return '<time>';
    if (/^id$|_id$/.test(key)) return mark(it);
    if (key.endsWith('_ids') && Array.isArray(it)) return it.map(mark);
    if (typeof it === 'string' && (key === 'instance' || key === 'detail')) return text(it);
    return body(it);
  };
  const body = (it: unknown): unknown => {
    if (Array.isArray(it)) return it.map(body);
    if (typeof it !== 'object' || it === null) return it;
    return Object.fromEntries(Object.entries(it).map(([key, inner]) => [key, value(key, inner)]));
  };
  const text = (it: string): string =>
    it
      .replaceAll(url, '')
      .replace(/cursor=[\w%.-]+/g, 'cursor=<cursor>')
      .replace(/\/(\d+|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g, (_, id: string) => `/${mark(id)}`);
  return {
    body,
    headers: (headers) =>
      Object.fromEntries(
        [...headers]
          .filter(([name]) => !transport.has(name))
          .map(([name, it]) => [
            name,
            name === 'etag' ? it.replace(/"[^"]+"/, '"<etag>"') : text(it),
          ]),
      ),
  };
}

function isTime(it: unknown): boolean {
  return typeof it === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(it);
}
