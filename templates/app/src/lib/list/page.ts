import { wireTypes } from '../../database/values.ts';
import type { Complain } from '../problem.ts';
import { type FoundPage, hasKeysInItems } from './list-statement.ts';
import type { ListPlan, OrderKey } from './plan.ts';

/** A page as it is sent. */
export interface Page {
  /** The JSON text of a `Listing`. */
  readonly body: string;
  readonly total: number | null;
  /** The queries of other pages of the list, without `?`. */
  readonly links: Links;
}

type Links = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', string>>>;

/** Puts the page together from the one row of a list statement. */
export function pageOf(plan: ListPlan, row: FoundPage): Page {
  const { limit, position, count } = plan;
  const total = row.total === null ? null : Number(row.total);
  const isFollowed = Number(row.count) > limit;
  const found = row.items ?? '';
  const items = isFollowed ? found.slice(0, found.lastIndexOf(',\n')) : found;
  const isKeyed = isFollowed && row.keys !== null;
  const next = isKeyed ? cursorBehind(plan, items, row.keys ?? '') : undefined;
  const offset = position === undefined ? plan.offset : null;
  const estimated = count === 'estimated' ? ',"total_estimated":true' : '';
  const cursor = next === undefined ? '' : `,"next_cursor":"${next}"`;
  return {
    body: `{"items":[${items}],"total":${total}${estimated},"limit":${limit},"offset":${offset}${cursor}}`,
    total,
    links: linksOf(plan, total, { isFollowed, next }),
  };
}

/** The cursor of the last item: nothing but that item, or its keys, is parsed. */
function cursorBehind(plan: ListPlan, items: string, keys: string): string {
  if (!hasKeysInItems(plan)) {
    return writeCursor(plan.fingerprint, JSON.parse(keys.split('\n')[plan.limit - 1] ?? '[]'));
  }
  const last: Readonly<Record<string, unknown>> = JSON.parse(
    items.slice(items.lastIndexOf('\n') + 1),
  );
  return writeCursor(
    plan.fingerprint,
    plan.order.map(({ path }) => last[path.name]),
  );
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

/** Where the last page begins when every page is full: pages may start off the grid. */
function lastStart({ limit, offset }: ListPlan, total: number): number {
  const first = offset % limit;
  return total <= first ? 0 : first + Math.floor((total - 1 - first) / limit) * limit;
}

/** Where a page ended: the values of its last row's order keys, bound to the list that it was a page of. */
function writeCursor(list: string, keys: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...keys])).toString('base64url');
}

export function readCursor(
  text: string,
  { list, order }: { readonly list: string; readonly order: readonly OrderKey[] },
  complain: Complain,
): readonly unknown[] | undefined {
  const [origin, ...keys] = decoded(text);
  if (typeof origin !== 'string') complain('malformed', 'must be the `next_cursor` of a page');
  else if (origin !== list)
    complain('other_list', 'belongs to a list with another order or filter');
  else if (keys.length === order.length && order.every((key, at) => isKey(keys[at], key)))
    return keys;
  else complain('malformed', 'must be the `next_cursor` of a page');
  return undefined;
}

function decoded(text: string): readonly unknown[] {
  const json = Buffer.from(text, 'base64url');
  if (json.toString('base64url') !== text) return [];
  try {
    const parts: unknown = JSON.parse(json.toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isKey(value: unknown, { path: { field }, nullable }: OrderKey): boolean {
  return value === null ? nullable : wireTypes[field.type].check(value, field);
}
