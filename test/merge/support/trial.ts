import { merge } from '../../../src/merge/merge.ts';
import type { Merged, ThreeTexts } from '../../../src/merge/conflict.ts';
import type { Edit } from './edits.ts';
import { normal, reformat, sorted } from './normal.ts';

export const labels = { base: 'base', mine: 'yours', theirs: 'scaffold' };

export type Outcome = 'same' | 'order' | 'conflict' | 'wrong';

export interface Trial extends ThreeTexts {
  /** What must come out: the edits done to the new output. */
  readonly expected: string;
}

/** Edits of the old file that can be done to the new one as well; nothing when one cannot. */
export async function makeTrial(
  base: string,
  theirs: string,
  { edits, isReformatted }: { edits: readonly Edit[]; isReformatted: boolean },
): Promise<Trial | undefined> {
  let [mine, expected]: (string | undefined)[] = [base, theirs];
  for (const { apply } of edits) {
    mine = mine === undefined ? undefined : apply(mine);
    expected = expected === undefined ? undefined : apply(expected);
  }
  if (mine === undefined || expected === undefined || mine === base) return undefined;
  return { base, theirs, mine: isReformatted ? await reformat(mine) : mine, expected };
}

export function mergeTrial(trial: ThreeTexts): Promise<Merged> {
  return merge({ ...trial, kind: 'ts', labels });
}

export async function judge(trial: Trial, { text, conflicts }: Merged): Promise<Outcome> {
  if (conflicts.length > 0) return 'conflict';
  const [actual, expected] = [await normal(text), await normal(trial.expected)];
  if (actual === expected) return 'same';
  return (await sorted(text)) === (await sorted(trial.expected)) ? 'order' : 'wrong';
}
