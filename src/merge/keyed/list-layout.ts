import type { MergedItem } from './merged-item.ts';
import type { Context, Sides } from './context.ts';
import { indentAt } from './indent.ts';
import { isComment, type List, type Item, type Source } from './tree.ts';
import { countLineEnds } from '../line-endings.ts';

/** The layout of ours, or of theirs if ours has no items or stayed on one line. */
export interface ListLayout {
  readonly separator: string;
  readonly inLines: boolean;
  /** Whether theirs broke a list into lines that ours has on one line. */
  readonly isBroken: boolean;
  readonly indent: string;
  readonly hasTrailingSeparator: boolean;
  /** The text between the last item and the bracket. */
  readonly tail: string;
  readonly gaps: ReadonlyMap<Item, string>;
  readonly first: string;
  /** The text before each other item of a list on one line. */
  readonly between: string;
}

export function chooseLayout(
  { sources }: Context,
  { base, ours, theirs }: Sides<List>,
): ListLayout {
  const isOnLine = !isInLines(ours, sources.ours) && !(base && isInLines(base, sources.base));
  const isBroken = isOnLine && isInLines(theirs, sources.theirs);
  const isTheirs = ours.items.length === 0 || isBroken;
  const [list, source] = isTheirs ? [theirs, sources.theirs] : [ours, sources.ours];
  const gaps = new Map([
    ...readGaps(ours, sources.ours),
    ...readGaps(theirs, sources.theirs),
    ...(base ? readGaps(base, sources.base) : []),
  ]);
  const [first, second] = list.items;
  const rest = { start: list.items.at(-1)?.full.end ?? list.inner.start, end: list.inner.end };
  const solid = list.items.findLast((item) => !isComment(item));
  const bar = list.rule.separator === '|' ? ' | ' : ' ';
  return {
    separator: list.rule.separator,
    inLines: isInLines(list, source),
    isBroken,
    indent: itemIndent(list, source) ?? indentAt(source, list.start),
    hasTrailingSeparator: solid?.separator !== undefined,
    tail: source.text.slice(rest.start, rest.end),
    gaps,
    first: (first && gaps.get(first)) ?? '',
    between: (second && gaps.get(second)) ?? bar,
  };
}

/** Whether each item has a line of its own. */
function isInLines(list: List, source: Source): boolean {
  return list.inner.start === 0 || readGaps(list, source).some(([, gap]) => gap.includes('\n'));
}

export function gapBefore(layout: ListLayout, item: MergedItem, index: number): string {
  const { gaps, inLines, indent, first, between } = layout;
  if (index === 0) return first;
  const [ourGap, theirGap] = [
    item.ours && gaps.get(item.ours),
    item.theirs && gaps.get(item.theirs),
  ];
  const isFirst = gaps.keys().next().value === item.ours;
  if (ourGap !== undefined && !layout.isBroken && !isFirst) return ourGap;
  if (!inLines || layout.separator === '|') return between;
  return '\n'.repeat(Math.max(1, countLineEnds(theirGap ?? ''))) + indent;
}

function readGaps({ items, inner }: List, { text }: Source): [Item, string][] {
  return items.map((item, index) => {
    const start = items[index - 1]?.full.end ?? inner.start;
    return [item, text.slice(start, item.full.start)];
  });
}

function itemIndent({ items }: List, source: Source): string | undefined {
  const lined = items.find(({ full }) => {
    const start = source.text.lastIndexOf('\n', full.start - 1) + 1;
    return source.text.slice(start, full.start).trim() === '';
  });
  return lined && indentAt(source, lined.full.start);
}
