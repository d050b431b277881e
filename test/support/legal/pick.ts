import * as fc from 'fast-check';

/** Draws a value: `pick(fc.boolean)`. Shrinks like any arbitrary. */
export type Pick = fc.GeneratorValue;
export type Document = Record<string, unknown>;

export function oneIn(pick: Pick, count: number): boolean {
  return pick(fc.integer, { min: 1, max: count }) === count;
}

/** The key with one of the values, in one schema of three. */
export function maybe(pick: Pick, key: string, values: readonly unknown[]): Document {
  return oneIn(pick, 3) ? { [key]: pick(fc.constantFrom, ...values) } : {};
}

/** Some of the values in their order, `least` at least and `most` at most. */
export function some<T>(
  pick: Pick,
  values: readonly T[],
  bounds: { least?: number; most?: number } = {},
): T[] {
  const maxLength = Math.min(values.length, bounds.most ?? values.length);
  return pick(fc.subarray<T>, [...values], {
    minLength: Math.min(bounds.least ?? 0, maxLength),
    maxLength,
  });
}

/** The same in any order. */
export function shuffled<T>(
  pick: Pick,
  values: readonly T[],
  bounds: { least: number; most: number },
): T[] {
  const maxLength = Math.min(values.length, bounds.most);
  return pick(fc.shuffledSubarray<T>, [...values], {
    minLength: Math.min(bounds.least, maxLength),
    maxLength,
  });
}
