/** Draws at random, and the same again from the same seed. */
export interface Chance {
  /** From 0 to `below - 1`. */
  below(below: number): number;
  oneIn(count: number): boolean;
  one<T>(list: readonly [T, ...T[]]): T;
  one<T>(list: readonly T[]): T | undefined;
}

/** https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
export function chanceOf(seed: number): Chance {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    oneIn: (count) => below(count) === 0,
    one: <T>(list: readonly T[]) => list[below(list.length)],
  } as Chance;
}
