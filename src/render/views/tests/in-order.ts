import type { Check, Field, Model } from '../../../model/app.ts';
import { isClientWritable } from '../../../model/writing.ts';
import { orderSides } from '../../../schema/check.ts';
import type { Json } from '../../../types/field-type.ts';

export const isChecked = ({ name }: Pick<Field, 'name'>, { checks }: Pick<Model, 'checks'>) =>
  checks.some(({ left, right }) => left === name || right === name);

/** What a test has to send although it may be left out: what is there then has no order to the rest. */
export const isKnownOnlyWhenSent = (field: Field, model: Model) =>
  field.default !== undefined && isChecked(field, model);

/** The values of a field that satisfy its checks with any of the others' values; all, if that is impossible. */
export function valuesInOrder(
  field: Field,
  { fields, checks }: Model,
  valuesOf: (field: Field) => readonly Json[],
): readonly Json[] {
  const own = valuesOf(field);
  const connected = fromLowToHigh(field.name, checks).flatMap((name) => {
    const other = fields.find((each) => each.name === name);
    const values = other === undefined ? [] : valuesIn(other, valuesOf);
    return values.length === 0 ? [] : [{ name, values }];
  });
  const at = connected.findIndex(({ name }) => name === field.name);
  const pools = connected.map(({ values }) => values);
  const ways = [3, 2, 1].map((size) => inTurn(pools, size));
  const taken = ways.find((way) => way.every((values) => values.length > 0))?.[at] ?? own;
  return own.filter((value) => taken.includes(value));
}

/** From each list the lowest few that are higher than those of the lists before. */
function inTurn(pools: readonly (readonly Json[])[], size: number): readonly (readonly Json[])[] {
  let last: Json | undefined;
  return pools.map((pool) => {
    const free = pool.filter((value) => last === undefined || compare(last, value) < 0);
    const taken = free.toSorted(compare).slice(0, size);
    last = taken.at(-1) ?? last;
    return taken;
  });
}

/** What only the server sets has its default, or nothing. */
function valuesIn(field: Field, valuesOf: (field: Field) => readonly Json[]): readonly Json[] {
  if (isClientWritable(field)) return valuesOf(field);
  return field.default?.kind === 'literal' ? [field.default.value] : [];
}

/** A field, and all to which checks lead from it. */
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

/** Numbers, which may be texts of digits, or texts that sort as the times that they say. */
function compare(left: Json, right: Json): number {
  const difference = Number(left) - Number(right);
  if (!Number.isNaN(difference)) return difference;
  return String(left) < String(right) ? -1 : left === right ? 0 : 1;
}

/** Where one of the fields has no value, every check holds. */
export function keeps(row: Readonly<Record<string, Json>>, check: Check): boolean {
  const { low, high, isStrict } = orderSides(check);
  const [least, most] = [row[low] ?? null, row[high] ?? null];
  if (least === null || most === null) return true;
  return isStrict ? compare(least, most) < 0 : compare(least, most) <= 0;
}
