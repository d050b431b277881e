import { encode } from '../../database/dialect.ts';
import { wireTypes } from '../../database/values.ts';
import type { Complain } from '../problem.ts';
import type { Path } from '../resource.ts';

export interface OrderKey {
  readonly path: Path;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** The position after a page: the order keys of its last row, tied to the list of the page. */
export function writeCursor(list: string, keys: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...keys])).toString('base64url');
}

/** The values of a cursor, as they are stored in columns. */
export function readCursor(
  text: string,
  { list, order }: { readonly list: string; readonly order: readonly OrderKey[] },
  complain: Complain,
): readonly unknown[] | undefined {
  const [origin, ...keys] = decoded(text);
  if (typeof origin === 'string' && origin !== list)
    return void complain('other_list', 'belongs to a list with another order or filter');
  const isWhole = keys.length === order.length && order.every((key, at) => isKey(keys[at], key));
  if (origin !== list || !isWhole)
    return void complain('malformed', 'must be the `next_cursor` of a page');
  return order.map(({ path }, at) => encode(keys[at], path.field));
}

function decoded(text: string): readonly unknown[] {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return [];
  try {
    const parts: unknown = JSON.parse(bytes.toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isKey(value: unknown, { path: { field }, nullable }: OrderKey): boolean {
  return value === null ? nullable : wireTypes[field.type].check(value, field);
}
