export interface Pairs<Thing> {
  readonly added: readonly Thing[];
  readonly dropped: readonly Thing[];
  readonly kept: readonly Pair<Thing>[];
}

export interface Pair<Thing> {
  readonly before: Thing;
  readonly after: Thing;
}

/** What came, what went and what stayed, by id; in the order of the lists. */
export function pairById<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  after: readonly Thing[],
): Pairs<Thing> {
  const former = new Map(before.map((thing) => [thing.id, thing]));
  const present = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !former.has(id)),
    dropped: before.filter(({ id }) => !present.has(id)),
    kept: after.flatMap((thing) => {
      const was = former.get(thing.id);
      return was === undefined ? [] : [{ before: was, after: thing }];
    }),
  };
}
