import { diff3Merge, diffIndices } from 'node-diff3';
import type { ThreeTexts } from './conflict.ts';
import type { Stretch } from './markers.ts';

/** The three texts merged by lines. */
export function mergeText({ base, mine, theirs }: ThreeTexts): Stretch[] {
  return diff3Merge(lines(mine), lines(base), lines(theirs), { excludeFalseConflicts: true }).map(
    ({ ok, conflict }) =>
      conflict
        ? {
            where: '',
            mine: conflict.a.join(''),
            base: conflict.o.join(''),
            theirs: conflict.b.join(''),
          }
        : (ok ?? []).join(''),
  );
}

/** Each with its line end, so that the last one may lack it. */
export function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Lines that one text has in place of the other's, by where they start, from 0. */
export interface ChangedLines {
  readonly before: readonly [start: number, count: number];
  readonly after: readonly [start: number, count: number];
}

export function changedLines(
  before: readonly string[],
  after: readonly string[],
): readonly ChangedLines[] {
  return diffIndices([...before], [...after]).map(({ buffer1, buffer2 }) => ({
    before: buffer1,
    after: buffer2,
  }));
}
