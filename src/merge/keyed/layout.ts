import type { Context, Place } from './context.ts';
import { indentAt } from './indent.ts';
import type { Piece } from './pieces.ts';
import { isComment, type Item, type List, type Source } from './tree.ts';

/** How the items of a list stand: as in mine, or as in theirs where mine has none. */
export interface Layout {
  readonly separator: string;
  /** Whether items have lines of their own. */
  readonly inLines: boolean;
  readonly indent: string;
  /** Whether the last item has a separator too. */
  readonly trails: boolean;
  /** Between the last item and the bracket. */
  readonly tail: string;
  /** Before each item of mine and of theirs. */
  readonly gaps: ReadonlyMap<Item, string>;
  /** Before the first item. */
  readonly first: string;
  /** Before the others, where they stand on one line. */
  readonly between: string;
}

export function layoutOf({ sources }: Context, { base, mine, theirs }: Place<List>): Layout {
  const [list, source] = mine.items.length > 0 ? [mine, sources.mine] : [theirs, sources.theirs];
  const gaps = new Map([
    ...gapsOf(mine, sources.mine),
    ...gapsOf(theirs, sources.theirs),
    ...(base ? gapsOf(base, sources.base) : []),
  ]);
  const [first, second] = list.items;
  const rest = { start: list.items.at(-1)?.full.end ?? list.inner.start, end: list.inner.end };
  const isWhole = list.inner.start === 0;
  const inLines = isWhole || list.items.some((item) => gaps.get(item)?.includes('\n'));
  const solid = list.items.findLast((item) => !isComment(item));
  const bar = list.rule.separator === '|' ? ' | ' : ' ';
  return {
    separator: list.rule.separator,
    inLines,
    indent: itemIndent(list, source) ?? indentAt(source, list.start),
    trails: solid?.separator !== undefined,
    tail: source.text.slice(rest.start, rest.end),
    gaps,
    first: (first && gaps.get(first)) ?? '',
    between: (second && gaps.get(second)) ?? bar,
  };
}

/** What stands before a piece at its place in the merged list. */
export function gapBefore(layout: Layout, piece: Piece, index: number): string {
  const { gaps, inLines, indent, first, between } = layout;
  if (index === 0) return first;
  const [ours, news] = [piece.mine && gaps.get(piece.mine), piece.theirs && gaps.get(piece.theirs)];
  const isMoved = ours !== undefined && news !== undefined && isByTheirs(layout, piece);
  if (ours !== undefined && !isMoved && !isFirst(layout, piece)) return ours;
  if (!inLines || layout.separator === '|') return isMoved ? (ours ?? between) : between;
  return '\n'.repeat(Math.max(1, lineEnds(news ?? ''))) + indent;
}

/** Whether a blank line is theirs to put or to take: mine has as many as were made. */
function isByTheirs({ gaps }: Layout, { base, mine, theirs }: Piece): boolean {
  const [old, ours, news] = [base, mine, theirs].map((it) => lineEnds((it && gaps.get(it)) ?? ''));
  return (
    old !== undefined && old > 0 && old === ours && news !== undefined && news > 0 && news !== old
  );
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1;
}

function isFirst({ gaps }: Layout, { mine }: Piece): boolean {
  return gaps.keys().next().value === mine;
}

function gapsOf({ items, inner }: List, { text }: Source): [Item, string][] {
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
