import type { Check, Field, Model } from '../../../model/app.ts';
import { isSent } from '../../../model/writing.ts';
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
  const together = fromLowToHigh(field.name, checks).flatMap((name) => {
    const other = fields.find((each) => each.name === name);
    const pool = other === undefined ? [] : valuesIn(other, valuesOf);
    const ranked = pool.map((value, rank) => ({ value, rank }));
    const sorted = ranked.toSorted((left, right) => compare(left.value, right.value));
    return pool.length === 0 ? [] : [{ name, pool: sorted }];
  });
  const stretches = split(together.map(({ pool }) => pool));
  const at = together.findIndex(({ name }) => name === field.name);
  const stretch = (stretches[at] ?? []).toSorted((left, right) => left.rank - right.rank);
  return stretch.length === 0 ? own : stretch.map(({ value }) => value);
}

/** What only the server sets has its default, or nothing. */
function valuesIn(field: Field, valuesOf: (field: Field) => readonly Json[]): readonly Json[] {
  if (isSent(field)) return valuesOf(field);
  return field.default?.kind === 'literal' ? [field.default.value] : [];
}

/** A field, and all to which checks lead from it. */
function fromLowToHigh(name: string, checks: readonly Check[]): readonly string[] {
  const connected = new Set([name]);
  for (const one of connected) {
    for (const { left, right } of checks) {
      if (left === one) connected.add(right);
      if (right === one) connected.add(left);
    }
  }
  const ordered = new Set<string>();
  const visit = (one: string) => {
    const lower = checks.map(orderSides).filter(({ high }) => high === one);
    for (const { low } of lower) visit(low);
    ordered.add(one);
  };
  for (const one of connected) visit(one);
  return [...ordered];
}

/** The most believable value has rank 0. */
type Values = readonly { readonly value: Json; readonly rank: number }[];

/** From each pool, values after those of the pools before: two if possible, and believable ones. */
function split(pools: readonly Values[], last?: Json): readonly Values[] {
  const [pool, ...others] = pools;
  if (pool === undefined) return [];
  const free = pool.filter(({ value }) => last === undefined || compare(last, value) < 0);
  const ways = free.map(({ value }, at) => [free.slice(0, at + 1), ...split(others, value)]);
  const [best] = ways.toSorted((left, right) => penalty(left) - penalty(right));
  return best ?? [[], ...others.map(() => [])];
}

function penalty(way: readonly Values[]): number {
  const penalties = way.map((stretch) => {
    const lacking = Math.max(0, 2 - stretch.length);
    return lacking * 1000 + Math.min(100, ...stretch.map(({ rank }) => rank));
  });
  return penalties.reduce((sum, each) => sum + each, 0);
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
