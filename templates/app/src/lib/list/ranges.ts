import { sql } from 'kysely';
import { scansNullsLast } from '../../database/dialect.ts';
import type { ViewerInSql } from '../access.ts';
import type { Path } from '../resource.ts';
import { column, crossingTo, fromRelated, type Source, type Sql, target } from '../sql.ts';
import type { OrderKey } from './cursor.ts';
import type { NextOperand } from './filter.ts';
import type { ListPlan } from './plan.ts';

/** A key of the order, as SQL. */
export interface Key extends OrderKey {
  readonly value: Sql;
}

/** The value that a row is ordered by; NULL if the viewer may not read the related row. */
export function keySql(rows: Source, path: Path, viewer: ViewerInSql | null): Sql {
  const crossing = crossingTo(rows, path, viewer);
  if (crossing === undefined) return column(rows, path.name);
  const inner = keySql(target(crossing), { ...path, steps: path.steps.slice(1) }, viewer);
  return sql`(select ${inner}${fromRelated(crossing)})`;
}

/** Rows that one range of an index yields in order. */
interface Range {
  readonly conditions: readonly Sql[];
  readonly orderBy: readonly Sql[];
}

/** The ranges that a page is read from, one after another. */
export function rangesOf(
  keys: readonly Key[],
  position: ListPlan['position'],
  { isInOwnOrder, next }: { readonly isInOwnOrder: boolean; readonly next: NextOperand },
): readonly Range[] {
  if (position !== undefined) return rangesAfter(keys, position, next);
  const [first, ...others] = keys;
  if (isInOwnOrder || first?.nullable !== true || scansNullsLast(first)) {
    return [{ conditions: [], orderBy: orderSql(keys) }];
  }
  // Rows whose first key is null come last: if the index has them elsewhere, they are a range of their own.
  return [
    {
      conditions: [sql`${first.value} is not null`],
      orderBy: orderSql([present(first), ...others]),
    },
    { conditions: [sql`${first.value} is null`], orderBy: orderSql(others) },
  ];
}

/**
 * The rows after a position, nearest first: those that differ from it in the last key only, in the last two, and so on.
 * As one condition, `k1 > v1 or (k1 = v1 and k2 > v2)`, they would be found by a walk from the first row.
 */
function rangesAfter(
  keys: readonly Key[],
  position: readonly unknown[],
  next: NextOperand,
): readonly Range[] {
  const values = position.map((value) => (value === null ? undefined : next()));
  const from = (at: number): readonly Range[] => {
    const [key, ...others] = keys.slice(at);
    const value = values[at];
    // Nothing comes after a null.
    if (key === undefined || value === undefined) return [];
    const same = keys.slice(0, at).map((before, index) => equals(before, values[index]));
    const beyond = sql`${key.value} ${sql.raw(key.descending ? '<' : '>')} ${value}`;
    const ranges = [
      { conditions: [...same, beyond], orderBy: orderSql([present(key), ...others]) },
    ];
    if (!key.nullable) return ranges;
    const absent = sql`${key.value} is null`;
    return [...ranges, { conditions: [...same, absent], orderBy: orderSql(others) }];
  };
  return keys.map((_, index) => from(keys.length - 1 - index)).flat();
}

function equals(key: Key, value: Sql | undefined): Sql {
  return value === undefined ? sql`${key.value} is null` : sql`${key.value} = ${value}`;
}

/** A key that cannot be null in this range, so that an index serves either direction. */
function present(key: Key): Key {
  return { ...key, nullable: false };
}

/** Nulls last, in either direction. */
function orderSql(keys: readonly Key[]): readonly Sql[] {
  return keys.map(({ value, descending, nullable }) => {
    const direction = sql.raw(`${descending ? ' desc' : ''}${nullable ? ' nulls last' : ''}`);
    return sql`${value}${direction}`;
  });
}
