import type { Check, Field, Model } from '../../../model/app.ts';
import { findField } from '../../../model/lookups.ts';
import { findDefaultValue, isWritable } from '../../../model/writing.ts';
import { orderSides } from '../../../schema/check.ts';
import type { Json } from '../../../types/field-type.ts';

export const isChecked = ({ name }: Pick<Field, 'name'>, { checks }: Pick<Model, 'checks'>) =>
  checks.some(({ left, right }) => left === name || right === name);

/** Whether a test has to send a value that could be left out, because its default has no order relative to others. */
export const isKnownOnlyWhenSent = (field: Field, model: Model) =>
  field.default !== undefined && isChecked(field, model);

/** Values of a field that meet its checks with any values of the other fields; all values, if that is impossible. */
export function valuesInOrder(
  field: Field,
  model: Model,
  valuesOf: (field: Field) => readonly Json[],
): readonly Json[] {
  const own = valuesOf(field);
  const connected = fromLowToHigh(field.name, model.checks).flatMap((name) => {
    const other = findField(model, name);
    const values = other === undefined ? [] : valuesIn(other, valuesOf);
    return values.length === 0 ? [] : [{ name, values }];
  });
  const at = connected.findIndex(({ name }) => name === field.name);
  const pools = connected.map(({ values }) => values);
  const ways = [3, 2, 1].map((size) => ascendingValues(pools, size));
  const taken = ways.find((way) => way.every((values) => values.length > 0))?.[at] ?? own;
  return own.filter((value) => taken.includes(value));
}

/** From each list, the lowest values that are higher than those of the lists before. */
function ascendingValues(
  pools: readonly (readonly Json[])[],
  size: number,
): readonly (readonly Json[])[] {
  let last: Json | undefined;
  return pools.map((pool) => {
    const free = pool.filter((value) => last === undefined || compareValues(last, value) < 0);
    const taken = free.toSorted(compareValues).slice(0, size);
    last = taken.at(-1) ?? last;
    return taken;
  });
}

/** A field that only the server sets has its default or null. */
function valuesIn(field: Field, valuesOf: (field: Field) => readonly Json[]): readonly Json[] {
  if (isWritable(field)) return valuesOf(field);
  const value = findDefaultValue(field);
  return value === undefined ? [] : [value];
}

/** A field and all fields that checks compare it with, in ascending order. */
function fromLowToHigh(name: string, checks: readonly Check[]): readonly string[] {
  const sides = checks.map(orderSides);
  const connected = new Set([name]);
  for (const one of connected) {
    for (const { low, high } of sides) {
      if (low === one) connected.add(high);
      if (high === one) connected.add(low);
    }
  }
  const depth = (one: string): number =>
    Math.max(0, ...sides.flatMap(({ low, high }) => (high === one ? [1 + depth(low)] : [])));
  return [...connected].toSorted((one, other) => depth(one) - depth(other));
}

/** Compares numbers (perhaps as text) or texts that sort like the times in them. */
function compareValues(left: Json, right: Json): number {
  const difference = Number(left) - Number(right);
  if (!Number.isNaN(difference)) return difference;
  return String(left) < String(right) ? -1 : left === right ? 0 : 1;
}

/** A check holds if one of its fields is null. */
export function meetsCheck(row: Readonly<Record<string, Json>>, check: Check): boolean {
  const { low, high, isStrict } = orderSides(check);
  const [least, most] = [row[low] ?? null, row[high] ?? null];
  if (least === null || most === null) return true;
  return isStrict ? compareValues(least, most) < 0 : compareValues(least, most) <= 0;
}
