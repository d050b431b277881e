import type { Model } from '../model/app.ts';
import { findFieldByRole } from '../model/lookups.ts';

export interface Pairs<Thing> {
  readonly added: readonly Thing[];
  readonly dropped: readonly Thing[];
  readonly kept: readonly Pair<Thing>[];
}

export interface Pair<Thing> {
  readonly before: Thing;
  readonly after: Thing;
}

/** Pairs two lists with a function that finds the former of a thing. Keeps the order of the lists. */
export function pairUp<Thing extends object>(
  before: readonly Thing[],
  after: readonly Thing[],
  formerOf: (thing: Thing) => Thing | undefined,
): Pairs<Thing> {
  const kept = after.flatMap((thing) => {
    const former = formerOf(thing);
    return former === undefined ? [] : [{ before: former, after: thing }];
  });
  const [stayed, stays] = [
    new Set(kept.map((it) => it.before)),
    new Set(kept.map((it) => it.after)),
  ];
  return {
    added: after.filter((thing) => !stays.has(thing)),
    dropped: before.filter((thing) => !stayed.has(thing)),
    kept,
  };
}

export function pairById<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  after: readonly Thing[],
): Pairs<Thing> {
  const former = new Map(before.map((thing) => [thing.id, thing]));
  return pairUp(before, after, ({ id }) => former.get(id));
}

/** Whether the ids of a model become of another type. A join table that becomes a model had none. */
export function isRekeyed({ before, after }: Pair<Model>): boolean {
  const [was, is] = [before, after].map((it) => findFieldByRole(it, 'id')?.type.kind);
  return was !== undefined && was !== is;
}
