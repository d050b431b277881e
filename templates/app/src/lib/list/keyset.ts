import { encode } from '../dialect.ts';
import type { Field } from '../resource.ts';
import { bound, raw, sql, type Sql } from '../sql/sql.ts';

export interface Key {
  readonly value: Sql;
  readonly field: Field;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** Some of the rows, in order, that one range of an index can hold. */
export interface Range {
  readonly conditions: readonly Sql[];
  readonly orderBy: readonly Sql[];
}

/** All rows. Those without a first key come last, so they are a range of their own. */
export function wholeRange(keys: readonly Key[]): readonly Range[] {
  const [first, ...others] = keys;
  if (first?.nullable !== true) return [{ conditions: [], orderBy: orderBy(keys) }];
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
 */
export function rangesAfter(keys: readonly Key[], position: readonly unknown[]): readonly Range[] {
  const from = (at: number): readonly Range[] => {
    const [key, ...others] = keys.slice(at);
    const value = position[at];
    // Nothing lies behind a null.
    if (key === undefined || value === null) return [];
    const same = keys.slice(0, at).map((before, index) => equals(before, position[index]));
    const beyond = sql`${key.value} ${raw(key.descending ? '<' : '>')} ${encoded(key, value)}`;
    const ranges = [{ conditions: [...same, beyond], orderBy: orderBy([present(key), ...others]) }];
    if (!key.nullable) return ranges;
    const absent = sql`${key.value} is null`;
    return [...ranges, { conditions: [...same, absent], orderBy: orderBy(others) }];
  };
  return keys.map((_, index) => from(keys.length - 1 - index)).flat();
}

function equals(key: Key, value: unknown): Sql {
  return value === null ? sql`${key.value} is null` : sql`${key.value} = ${encoded(key, value)}`;
}

function encoded({ field }: Key, value: unknown): Sql {
  return bound(encode(value, field));
}

/** A key that the range's conditions keep from being null, so that an index serves either direction. */
function present(key: Key): Key {
  return { ...key, nullable: false };
}

/** Nulls last, either way. */
function orderBy(keys: readonly Key[]): readonly Sql[] {
  return keys.map(
    ({ value, descending, nullable }) =>
      sql`${value}${raw(`${descending ? ' desc' : ''}${nullable ? ' nulls last' : ''}`)}`,
  );
}
