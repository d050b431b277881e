import { sql } from 'kysely';
import { wireTypes } from '../../database/values.ts';
import type { Complain } from '../problem.ts';
import type { Sql } from '../sql/source.ts';
import type { NextOperand } from './filter.ts';
import type { OrderKey } from './plan.ts';

export interface Key {
  readonly value: Sql;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** Some of the rows, in order, that one range of an index can hold. */
export interface Range {
  readonly conditions: readonly Sql[];
  readonly orderBy: readonly Sql[];
}

/** All rows, in one piece. */
export function allRows(keys: readonly Key[]): readonly Range[] {
  return [{ conditions: [], orderBy: orderBy(keys) }];
}

/** All rows. Those without a first key come last, so they are a range of their own. */
export function wholeRange(keys: readonly Key[]): readonly Range[] {
  const [first, ...others] = keys;
  if (first?.nullable !== true) return allRows(keys);
  return [
    {
      conditions: [sql`${first.value} is not null`],
      orderBy: orderBy([present(first), ...others]),
    },
    { conditions: [sql`${first.value} is null`], orderBy: orderBy(others) },
  ];
}

/**
 * The rows behind a position, nearest first: those that differ from it in the last key alone, in the last two, …
 * Said in one condition, `k1 > v1 or (k1 = v1 and k2 > v2)`, they would be found by a walk from the first row.
 * `isNull` tells of each key whether the position has no value there; the others are operands.
 */
export function rangesAfter(
  keys: readonly Key[],
  isNull: readonly boolean[],
  next: NextOperand,
): readonly Range[] {
  const values = isNull.map((nothing) => (nothing ? undefined : next()));
  const from = (at: number): readonly Range[] => {
    const [key, ...others] = keys.slice(at);
    const value = values[at];
    // Nothing lies behind a null.
    if (key === undefined || value === undefined) return [];
    const same = keys.slice(0, at).map((before, index) => equals(before, values[index]));
    const beyond = sql`${key.value} ${sql.raw(key.descending ? '<' : '>')} ${value}`;
    const ranges = [{ conditions: [...same, beyond], orderBy: orderBy([present(key), ...others]) }];
    if (!key.nullable) return ranges;
    const absent = sql`${key.value} is null`;
    return [...ranges, { conditions: [...same, absent], orderBy: orderBy(others) }];
  };
  return keys.map((_, index) => from(keys.length - 1 - index)).flat();
}

function equals(key: Key, value: Sql | undefined): Sql {
  return value === undefined ? sql`${key.value} is null` : sql`${key.value} = ${value}`;
}

/** A key that the range's conditions keep from being null, so that an index serves either direction. */
function present(key: Key): Key {
  return { ...key, nullable: false };
}

/** Nulls last, either way. */
function orderBy(keys: readonly Key[]): readonly Sql[] {
  return keys.map(({ value, descending, nullable }) => {
    const direction = sql.raw(`${descending ? ' desc' : ''}${nullable ? ' nulls last' : ''}`);
    return sql`${value}${direction}`;
  });
}

/** Where a page ended: the values of its last row's order keys, bound to the list that it was a page of. */
export function writeCursor(list: string, keys: readonly unknown[]): string {
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
