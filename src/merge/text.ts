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

/** The same for texts in which a changed line and one beside it have nothing to do with each other: prose. */
export function mergeProse(texts: ThreeTexts): Stretch[] {
  return mergeText(texts).map((it) =>
    typeof it === 'string' ? it : (partTouching(it) ?? longerOf(it) ?? it),
  );
}

/** Where both only added lines, and one side has all that the other has: that side. */
function longerOf({ base, mine, theirs }: ThreeTexts): string | undefined {
  const [old, ours, news] = [lines(base), lines(mine), lines(theirs)];
  if (holds(ours, news) && holds(news, old)) return mine;
  return holds(news, ours) && holds(ours, old) ? theirs : undefined;
}

/** All of the lines of the second text, in their order. */
function holds(all: readonly string[], some: readonly string[]): boolean {
  let next = 0;
  for (const line of all) if (line === some[next]) next += 1;
  return next === some.length;
}

/** Both changes, when they touch and do not overlap. */
function partTouching({ base, mine, theirs }: ThreeTexts): string | undefined {
  const old = lines(base);
  const edits = [...editsOf(old, lines(mine)), ...editsOf(old, lines(theirs))];
  const inOrder = edits.toSorted((left, right) => left.start - right.start || left.end - right.end);
  const isApart = inOrder.every(({ start, end }, index) => {
    const next = inOrder[index + 1];
    return !next || (next.start >= end && !(next.start === start && next.end === end));
  });
  if (!isApart || edits.length === 0) return undefined;
  const text = inOrder
    .toReversed()
    .reduce((all, { start, end, by }) => all.toSpliced(start, end - start, ...by), old);
  return text.join('');
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: readonly string[];
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  return changedLines(before, after).map(({ before: [start, count], after: [from, added] }) => ({
    start,
    end: start + count,
    by: after.slice(from, from + added),
  }));
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
