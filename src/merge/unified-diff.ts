import { changedLines, lines, type ChangedLines } from './text.ts';

const context = 3;

/** The lines that change with three around them, as `patch` and git read them; empty when nothing does. */
export function unifiedDiff(before: string, after: string): string {
  const texts = { before: linesOf(before), after: linesOf(after) };
  return together(changedLines(texts.before, texts.after))
    .map((changes) => printHunk(changes, texts))
    .join('');
}

interface Texts {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : lines(text);
}

/** Changes whose surroundings touch are one hunk. */
function together(changes: readonly ChangedLines[]): readonly (readonly ChangedLines[])[] {
  const hunks: ChangedLines[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk && last && change.before[0] - end(last.before) <= 2 * context) hunk.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

const end = ([start, count]: readonly [number, number]) => start + count;

function printHunk(changes: readonly ChangedLines[], { before, after }: Texts): string {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return '';
  const lead = Math.min(context, first.before[0]);
  const trail = Math.min(context, before.length - end(last.before));
  const from = { before: first.before[0] - lead, after: first.after[0] - lead };
  const to = { before: end(last.before) + trail, after: end(last.after) + trail };

  let at = from.before;
  let body = '';
  for (const change of changes) {
    body += printLines(' ', before.slice(at, change.before[0]));
    body += printLines('-', before.slice(...spanOf(change.before)));
    body += printLines('+', after.slice(...spanOf(change.after)));
    at = end(change.before);
  }
  body += printLines(' ', before.slice(at, to.before));
  const head = `-${range(from.before, to.before)} +${range(from.after, to.after)}`;
  return `@@ ${head} @@\n${body}`;
}

const spanOf = (span: readonly [number, number]) => [span[0], end(span)] as const;

/** An empty range is named by the line before it. */
function range(from: number, to: number): string {
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
