import { firstNames, lastNames } from './words.ts';

/** Where sample values come from: a stream of numbers that depends on nothing but its seed. */
export interface Draw {
  /** Counts the rows of a model. */
  readonly row: number;
  /** Empty at first; a number when what was drawn before was taken already. */
  readonly mark: string;
  /** Who a row is about: his name and his address agree. */
  readonly person: { readonly first: string; readonly last: string };
  /** At least 0 and less than 1. */
  fraction(): number;
  /** Both ends included. */
  integer(least: number, most: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

interface Place {
  readonly row: number;
  /** Counts how often the row was drawn: each time there is more room to be different. */
  readonly attempt: number;
}

export function drawFrom(model: string, { row, attempt }: Place = { row: 0, attempt: 0 }): Draw {
  const fraction = numbers(hash(`${model} ${row} ${attempt}`));
  const integer = (least: number, most: number) =>
    least + Math.floor(fraction() * (most - least + 1));
  const pick: Draw['pick'] = (values) => {
    const value = values[integer(0, values.length - 1)];
    if (value === undefined) throw new RangeError('There is nothing to pick from.');
    return value;
  };
  return {
    row,
    mark: attempt === 0 ? '' : String(integer(2, 10 ** Math.min(attempt + 1, 9))),
    person: { first: pick(firstNames), last: pick(lastNames) },
    fraction,
    integer,
    pick,
  };
}

/** FNV-1a. */
function hash(text: string): number {
  return [...Buffer.from(text)].reduce(
    (sum, byte) => Math.imul(sum ^ byte, 0x01000193),
    0x811c9dc5,
  );
}

/** Mulberry32: small, fast, and even enough for samples. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
