/** Random choices of an edit: the same numbers make the same edit. */
export interface Dice {
  readonly kind: number;
  readonly place: number;
  readonly detail: number;
}

/** The same numbers for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

export function diceOf(random: () => number): Dice {
  return { kind: random(), place: random(), detail: random() % 97 };
}
