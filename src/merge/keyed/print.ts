import type { MergedItem } from './merged-item.ts';
import { lines } from '../text.ts';
import {
  type Context,
  joinResults,
  isEqual,
  type MergedText,
  type MergeResult,
  type NamedConflict,
  type Side,
  type Sides,
  slice,
  withItem,
} from './context.ts';
import { indented } from './indent.ts';
import { itemTokens, type PrintedItem } from './item.ts';
import type { ItemConflict } from './item-conflicts.ts';
import { boundNames, isComment, type List } from './tree.ts';
import { type ListLayout, chooseLayout, gapBefore } from './list-layout.ts';

/** Prints a list in its layout; undefined if a conflict has no lines of its own. */
export function printList(
  context: Context,
  items: readonly MergedItem[],
  lists: Sides<List>,
): MergeResult {
  const { ours } = lists;
  const layout = chooseLayout(context, lists);
  const gaps = items.map((item, index) => gapBefore(layout, item, index));
  const last = items.findLastIndex((item) => !isCommentItem(item));
  const texts = items.map((item, index) => {
    const { content } = item;
    const gap = gaps[index] ?? '';
    const separator = isCommentItem(item)
      ? ''
      : chooseSeparator(layout, { isLast: index === last });
    if ('text' in content) {
      const { beforeSeparator, separator: own, afterSeparator } = content;
      const mark = isOptional(layout) && item.ours ? own : separator;
      const text = printMergedItem(context, item, content, layout);
      return [gap, ...text, beforeSeparator + mark + afterSeparator];
    }
    const isAlone = hasLines(context, ours, index, [gap, gaps[index + 1] ?? layout.tail]);
    if (!isAlone) return undefined;
    return printItemConflict(context, content, { gap, separator, layout });
  });
  const open = slice(context, 'ours', { start: ours.start, end: ours.inner.start });
  const close = slice(context, 'ours', { start: ours.inner.end, end: ours.end });
  const tail = items.length === 0 ? '' : layout.tail;
  const text = joinResults([[open], ...texts, [tail + close]]);
  return text && ours.isBare && items.length !== 1 ? ['(', ...text, ')'] : text;
}

/** Whether an item starts and ends a line, as conflict markers require. */
function hasLines(
  { sources }: Context,
  { inner }: List,
  index: number,
  [before, after]: readonly [string, string],
): boolean {
  const isAtStart = index === 0 && inner.start === 0;
  const isAtEnd = after === '' && inner.end === sources.ours.text.length;
  return (isAtStart || before.includes('\n')) && (isAtEnd || /^[ \t]*\n/.test(after));
}

/** Indents an item of theirs for its place. */
function printMergedItem(
  { sources }: Context,
  { ours, theirs }: MergedItem,
  { text }: PrintedItem,
  layout: ListLayout,
): MergedText {
  if (ours || !theirs) return text;
  const span = { start: theirs.full.start, end: theirs.node.end };
  return [indented(sources.theirs, span, layout.indent)];
}

function chooseSeparator(layout: ListLayout, { isLast }: { readonly isLast: boolean }): string {
  const { separator, hasTrailingSeparator } = layout;
  if (separator !== ',' && separator !== ';') return '';
  return hasTrailingSeparator || (!isLast && !isOptional(layout)) ? separator : '';
}

/** Whether separators can be left out: between members of an interface on separate lines. */
function isOptional({ separator, inLines }: ListLayout): boolean {
  return separator === ';' && inLines;
}

function isCommentItem({ ours, theirs }: MergedItem): boolean {
  const item = ours ?? theirs;
  return item !== undefined && isComment(item);
}

/** Prints a conflict without the lines that all three sides share at its ends. */
function printItemConflict(
  context: Context,
  conflict: ItemConflict,
  {
    gap,
    separator,
    layout: { indent, gaps },
  }: { readonly gap: string; readonly separator: string; readonly layout: ListLayout },
): MergedText {
  const print = (side: Side) =>
    conflict[side]
      .map((item, index) => {
        const blank = index === 0 ? '' : (gaps.get(item) ?? '').replace(/[^\n]/g, '').slice(1);
        const text = indented(context.sources[side], item.full, indent);
        return `${blank}${indent}${text}${item.separator ? '' : separator}\n`;
      })
      .join('');
  const [base, ours, theirs] = [lines(print('base')), lines(print('ours')), lines(print('theirs'))];
  const shortest = Math.min(base.length, ours.length, theirs.length);
  const isShared = (index: number) =>
    ours.at(index) === base.at(index) && ours.at(index) === theirs.at(index);
  let head = 0;
  while (head < shortest && isShared(head)) head += 1;
  let foot = 0;
  while (foot < shortest - head && isShared(-1 - foot)) foot += 1;
  const rest = (all: readonly string[]) => all.slice(head, all.length - foot).join('');
  const item = conflict.ours[0] ?? conflict.theirs[0] ?? conflict.base[0];
  const printed = {
    where: item ? withItem(context, item).where : context.where,
    ...collectConflictNames(context, conflict),
    base: rest(base),
    ours: rest(ours),
    theirs: rest(theirs),
  };
  const start = gap.replace(/[ \t]*$/, '');
  const end = `\n${ours.slice(ours.length - foot).join('')}`;
  return [start + ours.slice(0, head).join(''), printed, end.replace(/\n$/, '')];
}

function collectConflictNames(
  context: Context,
  conflict: ItemConflict,
): Pick<NamedConflict, 'declares' | 'needs'> {
  const tokens = (side: Side) => conflict[side].flatMap((item) => itemTokens(context, side, item));
  const declares = (['base', 'ours', 'theirs'] as const).flatMap((side) =>
    conflict[side].flatMap(boundNames),
  );
  const used = isEqual(tokens('base'), tokens('ours'))
    ? [...tokens('base'), ...tokens('theirs')]
    : [];
  const { undeclared, declaredTwice, inConflict } = context;
  const isOpen = (name: string) =>
    undeclared.has(name) || declaredTwice.has(name) || inConflict.some((it) => it.name === name);
  return { declares, needs: used.filter((it) => isOpen(it) && !declares.includes(it)) };
}
