import { invalid, queryFault } from '../problem.ts';
import { writeCursor } from './cursor.ts';
import type { ListPlan } from './plan.ts';
import type { FoundPage } from './statement.ts';

export interface Page {
  readonly body: string;
  readonly total: number | null;
  /** The query strings of other pages of the list, without `?`. */
  readonly links: Links;
}

type Links = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', string>>>;

export function pageOf(plan: ListPlan, row: FoundPage): Page {
  const { limit, position, count } = plan;
  const total = row.total === null ? null : Number(row.total);
  const fitting = Number(row.fitting ?? row.count);
  const shown = Math.min(limit, fitting);
  const lines = row.items ?? '';
  const items = fitting > shown ? lines.slice(0, lines.lastIndexOf(',\n')) : lines;
  const isFollowed = Number(row.count) > shown;
  const cursor =
    isFollowed && row.keys !== null
      ? cursorBehind(plan, items, row.keys?.split('\n')[shown - 1])
      : undefined;
  const offset = position === undefined ? plan.offset : null;
  const estimated = count === 'estimated' ? ',"total_estimated":true' : '';
  const next = cursor === undefined ? '' : `,"next_cursor":"${cursor}"`;
  return {
    body: `{"items":[${items}],"total":${total}${estimated},"limit":${limit},"offset":${offset}${next}}`,
    total,
    links: linksOf(plan, total, { cursor, start: isFollowed ? plan.offset + shown : undefined }),
  };
}

/** Servers and proxies take a URL of 8 KB or more, which has the rest of the query in it, too. */
const maxCursor = 4096;

/** The cursor of the last item; only that item, or the line of its keys, is parsed. */
function cursorBehind(plan: ListPlan, items: string, keys?: string): string {
  const cursor = writeCursor(plan.fingerprint, keys ? JSON.parse(keys) : keysIn(plan, items));
  if (cursor.length <= maxCursor) return cursor;
  const message = 'leads to a page that ends with a value too long for a cursor';
  throw invalid([queryFault('order_by', 'too_long', message)]);
}

function keysIn({ order }: ListPlan, items: string): readonly unknown[] {
  const last: Readonly<Record<string, unknown>> = JSON.parse(
    items.slice(items.lastIndexOf('\n') + 1),
  );
  return order.map(({ path }) => last[path.name]);
}

/** `next` is where the next page begins, if there is one. */
function linksOf(
  plan: ListPlan,
  total: number | null,
  next: { readonly cursor: string | undefined; readonly start: number | undefined },
): Links {
  const { limit, offset, position, query } = plan;
  if (limit === 0) return {};
  const prefix = query === '' ? '' : `${query}&`;
  if (position !== undefined) {
    const { cursor } = next;
    return { first: query, ...(cursor === undefined ? {} : { next: `${prefix}cursor=${cursor}` }) };
  }
  const at = (start: number) => `${prefix}offset=${start}`;
  return {
    first: at(0),
    ...(offset > 0 ? { prev: at(Math.max(0, offset - limit)) } : {}),
    ...(next.start === undefined ? {} : { next: at(next.start) }),
    ...(total === null ? {} : { last: at(lastStart(plan, total)) }),
  };
}

/** The offset of the last page, if every other page is full: an offset need not be a multiple of the limit. */
function lastStart({ limit, offset }: ListPlan, total: number): number {
  const first = offset % limit;
  return total <= first ? 0 : first + Math.floor((total - 1 - first) / limit) * limit;
}
