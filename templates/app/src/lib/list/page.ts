import { writeCursor } from './cursor.ts';
import type { ListPlan } from './plan.ts';
import type { FoundPage } from './statement.ts';

/** A page, as it is sent. */
export interface Page {
  /** The JSON text of the page. */
  readonly body: string;
  readonly total: number | null;
  /** The query strings of other pages of the list, without `?`. */
  readonly links: Links;
}

type Links = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', string>>>;

/** Assembles the page from the one row of a list statement. */
export function pageOf(plan: ListPlan, row: FoundPage): Page {
  const { limit, position, count } = plan;
  const total = row.total === null ? null : Number(row.total);
  const isFollowed = Number(row.count) > limit;
  const found = row.items ?? '';
  const items = isFollowed ? found.slice(0, found.lastIndexOf(',\n')) : found;
  const next = isFollowed && row.keys !== null ? cursorBehind(plan, items, row.keys) : undefined;
  const offset = position === undefined ? plan.offset : null;
  const estimated = count === 'estimated' ? ',"total_estimated":true' : '';
  const cursor = next === undefined ? '' : `,"next_cursor":"${next}"`;
  return {
    body: `{"items":[${items}],"total":${total}${estimated},"limit":${limit},"offset":${offset}${cursor}}`,
    total,
    links: linksOf(plan, total, { isFollowed, next }),
  };
}

/** The cursor of the last item; only that item, or its keys, is parsed. */
function cursorBehind(plan: ListPlan, items: string, keys?: string): string {
  const behind = keys?.split('\n')[plan.limit - 1];
  if (behind !== undefined) return writeCursor(plan.fingerprint, JSON.parse(behind));
  const last: Readonly<Record<string, unknown>> = JSON.parse(
    items.slice(items.lastIndexOf('\n') + 1),
  );
  const values = plan.order.map(({ path }) => last[path.name]);
  return writeCursor(plan.fingerprint, values);
}

function linksOf(
  plan: ListPlan,
  total: number | null,
  { isFollowed, next }: { readonly isFollowed: boolean; readonly next: string | undefined },
): Links {
  const { limit, offset, position, query } = plan;
  if (limit === 0) return {};
  const prefix = query === '' ? '' : `${query}&`;
  if (position !== undefined) {
    return { first: query, ...(next === undefined ? {} : { next: `${prefix}cursor=${next}` }) };
  }
  const at = (start: number) => `${prefix}offset=${start}`;
  return {
    first: at(0),
    ...(offset > 0 ? { prev: at(Math.max(0, offset - limit)) } : {}),
    ...(isFollowed ? { next: at(offset + limit) } : {}),
    ...(total === null ? {} : { last: at(lastStart(plan, total)) }),
  };
}

/** The offset of the last page, if every other page is full: an offset need not be a multiple of the limit. */
function lastStart({ limit, offset }: ListPlan, total: number): number {
  const first = offset % limit;
  return total <= first ? 0 : first + Math.floor((total - 1 - first) / limit) * limit;
}
