import type { Pair } from '../pairs.ts';

/** What means the same before and after, though its name may differ; and the rest. */
export interface Differences<Thing> {
  readonly dropped: readonly Thing[];
  readonly added: readonly Thing[];
  readonly kept: readonly Pair<Thing>[];
}

export function differencesOf<Thing>(
  { before, after }: Pair<readonly Thing[]>,
  kept: readonly Pair<Thing>[],
): Differences<Thing> {
  return {
    dropped: before.filter((thing) => !kept.some((pair) => pair.before === thing)),
    added: after.filter((thing) => !kept.some((pair) => pair.after === thing)),
    kept,
  };
}
