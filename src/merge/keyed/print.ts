import type { Piece } from './piece.ts';
import { lines } from '../text.ts';
import {
  type Context,
  inOrder,
  isEqual,
  type MergedText,
  type Printed,
  type Reported,
  type Side,
  type Sides,
  slice,
  within,
} from './context.ts';
import { indented } from './indent.ts';
import { itemTokens, type PrintedItem } from './item.ts';
import type { Clash } from './contested.ts';
import { bound, isComment, type List } from './tree.ts';
import { type ListLayout, layoutOf, gapBefore } from './list-layout.ts';

/** A list in the layout of mine; undefined if a conflict is not on lines of its own. */
export function printList(context: Context, pieces: readonly Piece[], place: Sides<List>): Printed {
  const { mine } = place;
  const layout = layoutOf(context, place);
  const gaps = pieces.map((piece, index) => gapBefore(layout, piece, index));
  const last = pieces.findLastIndex((piece) => !isCommentPiece(piece));
  const texts = pieces.map((piece, index) => {
    const { content } = piece;
    const gap = gaps[index] ?? '';
    const separator = isCommentPiece(piece) ? '' : separatorOf(layout, index === last);
    if ('text' in content) {
      const { beforeSeparator, separator: own, afterSeparator } = content;
      const mark = isOptional(layout) && piece.mine ? own : separator;
      const text = printPiece(context, piece, content, layout);
      return [gap, ...text, beforeSeparator + mark + afterSeparator];
    }
    const isAlone = hasLines(context, mine, index === 0, [gap, gaps[index + 1] ?? layout.tail]);
    if (!isAlone) return undefined;
    return printClash(context, content, { gap, separator, layout });
  });
  const open = slice(context, 'mine', { start: mine.start, end: mine.inner.start });
  const close = slice(context, 'mine', { start: mine.inner.end, end: mine.end });
  const tail = pieces.length === 0 ? '' : layout.tail;
  const text = inOrder([[open], ...texts, [tail + close]]);
  return text && mine.isBare && pieces.length !== 1 ? ['(', ...text, ')'] : text;
}

/** Whether a piece starts and ends a line, with these gaps around it: markers need that. */
function hasLines(
  { sources }: Context,
  { inner }: List,
  isFirstPiece: boolean,
  [before, after]: readonly [string, string],
): boolean {
  const isAtStart = isFirstPiece && inner.start === 0;
  const isAtEnd = after === '' && inner.end === sources.mine.text.length;
  return (isAtStart || before.includes('\n')) && (isAtEnd || /^[ \t]*\n/.test(after));
}

/** A piece of theirs is indented as its place requires. */
function printPiece(
  { sources }: Context,
  { mine, theirs }: Piece,
  { text }: PrintedItem,
  layout: ListLayout,
): MergedText {
  if (mine || !theirs) return text;
  const span = { start: theirs.full.start, end: theirs.node.end };
  return [indented(sources.theirs, span, layout.indent)];
}

function separatorOf(layout: ListLayout, isLast: boolean): string {
  const { separator, trails } = layout;
  if (separator !== ',' && separator !== ';') return '';
  return trails || (!isLast && !isOptional(layout)) ? separator : '';
}

/** Members of an interface on separate lines need no separator. */
function isOptional({ separator, inLines }: ListLayout): boolean {
  return separator === ';' && inLines;
}

function isCommentPiece({ mine, theirs }: Piece): boolean {
  const item = mine ?? theirs;
  return item !== undefined && isComment(item);
}

/** A conflict on lines of its own, without the lines that all three sides share at its ends. */
function printClash(
  context: Context,
  clash: Clash,
  {
    gap,
    separator,
    layout: { indent, gaps },
  }: { readonly gap: string; readonly separator: string; readonly layout: ListLayout },
): MergedText {
  const print = (side: Side) =>
    clash[side]
      .map((item, index) => {
        const blank = index === 0 ? '' : (gaps.get(item) ?? '').replace(/[^\n]/g, '').slice(1);
        const text = indented(context.sources[side], item.full, indent);
        return `${blank}${indent}${text}${item.separator ? '' : separator}\n`;
      })
      .join('');
  const [base, mine, theirs] = [lines(print('base')), lines(print('mine')), lines(print('theirs'))];
  const shortest = Math.min(base.length, mine.length, theirs.length);
  const isShared = (index: number) =>
    mine.at(index) === base.at(index) && mine.at(index) === theirs.at(index);
  let head = 0;
  while (head < shortest && isShared(head)) head += 1;
  let foot = 0;
  while (foot < shortest - head && isShared(-1 - foot)) foot += 1;
  const rest = (all: readonly string[]) => all.slice(head, all.length - foot).join('');
  const item = clash.mine[0] ?? clash.theirs[0] ?? clash.base[0];
  const conflict = {
    where: item ? within(context, item).where : context.where,
    ...namesIn(context, clash),
    base: rest(base),
    mine: rest(mine),
    theirs: rest(theirs),
  };
  const start = gap.replace(/[ \t]*$/, '');
  const end = `\n${mine.slice(mine.length - foot).join('')}`;
  return [start + mine.slice(0, head).join(''), conflict, end.replace(/\n$/, '')];
}

function namesIn(context: Context, clash: Clash): Pick<Reported, 'declares' | 'needs'> {
  const tokens = (side: Side) => clash[side].flatMap((item) => itemTokens(context, side, item));
  const declares = (['base', 'mine', 'theirs'] as const).flatMap((side) =>
    clash[side].flatMap(bound),
  );
  const used = isEqual(tokens('base'), tokens('mine'))
    ? [...tokens('base'), ...tokens('theirs')]
    : [];
  const { lost, doubled, disputed } = context;
  const isOpen = (name: string) =>
    lost.has(name) || doubled.has(name) || disputed.some((it) => it.name === name);
  return { declares, needs: used.filter((it) => isOpen(it) && !declares.includes(it)) };
}
