import { countEach } from '../words.ts';
import { diff3Merge, diffIndices } from 'node-diff3';
import type { ThreeTexts } from './conflict.ts';
import type { Chunk } from './markers.ts';

export function mergeText({ base, ours, theirs }: ThreeTexts): Chunk[] {
  return diff3Merge(lines(ours), lines(base), lines(theirs), { excludeFalseConflicts: true }).map(
    ({ ok, conflict }) =>
      conflict
        ? {
            where: [],
            ours: conflict.a.join(''),
            base: conflict.o.join(''),
            theirs: conflict.b.join(''),
          }
        : (ok ?? []).join(''),
  );
}

/** Merges by lines. A changed line does not conflict with a changed line beside it. */
export function mergeProse(texts: ThreeTexts): Chunk[] {
  return mergeText(texts).map((it) => (typeof it === 'string' ? it : (partTouching(it) ?? it)));
}

/** Combines changes that touch but do not overlap; undefined if they overlap. */
function partTouching({ base, ours, theirs }: ThreeTexts): string | undefined {
  const old = lines(base);
  const edits = [...listEdits(old, lines(ours)), ...listEdits(old, lines(theirs))];
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

function listEdits(before: readonly string[], after: readonly string[]) {
  return listChangedLines(before, after).map(
    ({ before: [start, count], after: [from, added] }) => ({
      start,
      end: start + count,
      by: after.slice(from, from + added),
    }),
  );
}

/** How many words two texts share, counting repetitions. */
export function sharedCount(left: readonly string[], right: readonly string[]): number {
  const there = countEach(right);
  const shared = [...countEach(left)].map(([word, count]) => Math.min(count, there.get(word) ?? 0));
  return shared.reduce((sum, count) => sum + count, 0);
}

/** Removes what formatters add or remove. */
export const withoutLayout = (text: string) => text.replace(/[\s;,'"`]/g, '');

/** Splits a text into lines with their line ends. */
export function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** A range of lines before and after a change, starting from 0. */
interface ChangedLines {
  readonly before: readonly [start: number, count: number];
  readonly after: readonly [start: number, count: number];
}

export function listChangedLines(
  before: readonly string[],
  after: readonly string[],
): readonly ChangedLines[] {
  return diffIndices([...before], [...after]).map(({ buffer1, buffer2 }) => ({
    before: buffer1,
    after: buffer2,
  }));
}

const context = 3;

/** A diff with three lines of context, as git and `patch` read it; empty if the texts are equal. */
export function unifiedDiff(before: string, after: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  return together(listChangedLines(old, now))
    .map((changes) => printHunk(changes, old, now))
    .join('');
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : lines(text);
}

function together(changes: readonly ChangedLines[]): readonly (readonly ChangedLines[])[] {
  const hunks: ChangedLines[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk && last && change.before[0] - endOfRange(last.before) <= 2 * context)
      hunk.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

const endOfRange = ([start, count]: readonly [number, number]) => start + count;

function printHunk(
  changes: readonly ChangedLines[],
  before: readonly string[],
  after: readonly string[],
): string {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return '';
  const lead = Math.min(context, first.before[0]);
  const trail = Math.min(context, before.length - endOfRange(last.before));
  const from = { before: first.before[0] - lead, after: first.after[0] - lead };
  const to = { before: endOfRange(last.before) + trail, after: endOfRange(last.after) + trail };

  let at = from.before;
  let body = '';
  for (const change of changes) {
    body += printLines(' ', before.slice(at, change.before[0]));
    body += printLines('-', before.slice(...spanOfRange(change.before)));
    body += printLines('+', after.slice(...spanOfRange(change.after)));
    at = endOfRange(change.before);
  }
  body += printLines(' ', before.slice(at, to.before));
  const head = `-${printRange(from.before, to.before)} +${printRange(from.after, to.after)}`;
  return `@@ ${head} @@\n${body}`;
}

const spanOfRange = (span: readonly [number, number]) => [span[0], endOfRange(span)] as const;

/** An empty range is written with the number of the line before it. */
function printRange(from: number, to: number): string {
  const count = to - from;
  const start = count === 0 ? from : from + 1;
  return count === 1 ? String(start) : `${start},${count}`;
}

function printLines(mark: string, texts: readonly string[]): string {
  return texts
    .map((text) =>
      text.endsWith('\n') ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`,
    )
    .join('');
}
