import { printClash } from './clash.ts';
import { slice, type Context, type Outcome, type Place } from './context.ts';
import { indented } from './indent.ts';
import type { PrintedItem } from './item.ts';
import { gapBefore, layoutOf, type Layout } from './layout.ts';
import type { Piece } from './pieces.ts';
import { isComment, type List } from './tree.ts';

interface Print {
  readonly pieces: readonly Piece[];
  readonly place: Place<List>;
  readonly where: string;
}

/** A list in the layout of mine; nothing when a conflict has no lines of its own. */
export function printList(context: Context, { pieces, place, where }: Print): Outcome {
  const { mine } = place;
  const layout = layoutOf(context, place);
  const gaps = pieces.map((piece, index) => gapBefore(layout, piece, index));
  const last = pieces.findLastIndex((piece) => !isCommentPiece(piece));
  const texts = pieces.map((piece, index) => {
    const { content } = piece;
    const gap = gaps[index] ?? '';
    const separator = isCommentPiece(piece) ? '' : separatorOf(layout, index === last);
    if ('text' in content)
      return (
        gap +
        printPiece(context, { piece, content, layout }) +
        printTail(content, isOptional(layout) && piece.mine ? content.separator : separator)
      );
    const isAlone = hasLines(context, { mine, gap, next: gaps[index + 1] ?? layout.tail, index });
    if (!isAlone) return undefined;
    return printClash(context, { clash: content, gap, separator, indent: layout.indent, where });
  });
  if (texts.includes(undefined)) return undefined;
  const open = slice(context, 'mine', { start: mine.start, end: mine.inner.start });
  const close = slice(context, 'mine', { start: mine.inner.end, end: mine.end });
  return open + texts.join('') + (pieces.length === 0 ? '' : layout.tail) + close;
}

interface Surroundings {
  readonly mine: List;
  readonly index: number;
  readonly gap: string;
  readonly next: string;
}

/** Whether a piece starts and ends a line: markers need that. */
function hasLines({ sources }: Context, { mine, index, gap, next }: Surroundings): boolean {
  const isAtStart = index === 0 && mine.inner.start === 0;
  const isAtEnd = next === '' && mine.inner.end === sources.mine.text.length;
  return (isAtStart || gap.includes('\n')) && (isAtEnd || /^[ \t]*\n/.test(next));
}

interface Printed {
  readonly piece: Piece;
  readonly content: PrintedItem;
  readonly layout: Layout;
}

/** What comes from theirs takes the depth that it has here. */
function printPiece({ sources }: Context, { piece, content, layout }: Printed): string {
  const { mine, theirs } = piece;
  if (mine || !theirs) return content.text;
  const span = { start: theirs.full.start, end: theirs.node.end };
  return indented(sources.theirs, span, layout.indent);
}

function separatorOf(layout: Layout, isLast: boolean): string {
  const { separator, trails } = layout;
  if (separator !== ',' && separator !== ';') return '';
  return trails || (!isLast && !isOptional(layout)) ? separator : '';
}

/** The members of an interface need none between them where each has its line. */
function isOptional({ separator, inLines }: Layout): boolean {
  return separator === ';' && inLines;
}

function printTail(item: PrintedItem, separator: string): string {
  return item.beforeSeparator + separator + item.afterSeparator;
}

function isCommentPiece({ mine, theirs }: Piece): boolean {
  const item = mine ?? theirs;
  return item !== undefined && isComment(item);
}
