import { slice, type Context, type Outcome, type Place } from './context.ts';
import { printClash } from './clash.ts';
import { indented } from './indent.ts';
import type { PrintedItem } from './item.ts';
import { gapBefore, isCommentKey, layoutOf, type Layout } from './layout.ts';
import type { Piece } from './pieces.ts';
import type { List } from './tree.ts';

interface Print {
  readonly pieces: readonly Piece[];
  readonly place: Place<List>;
  readonly where: string;
}

/** A list in the layout of mine; nothing when a conflict has no lines of its own. */
export function printList(context: Context, { pieces, place, where }: Print): Outcome {
  const layout = layoutOf(context, place);
  const gaps = pieces.map((piece, index) => gapBefore(layout, piece, index));
  const last = pieces.findLastIndex((piece) => !isComment(piece));
  const texts = pieces.map((piece, index) => {
    const { content } = piece;
    const gap = gaps[index] ?? '';
    const separator = isComment(piece) ? '' : separatorAt(layout, { isLast: index === last });
    if ('text' in content)
      return gap + printPiece(context, { piece, content, layout }) + tailOf(content, separator, layout);
    const after = gaps[index + 1] ?? layout.tail;
    const end = place.mine.inner.end === context.sources.mine.text.length ? after === '' : false;
    const hasLines = (gap.includes('\n') || (index === 0 && place.mine.inner.start === 0)) && (end || /^[ \t]*\n/.test(after));
    if (!hasLines) return undefined;
    return printClash(context, { clash: content, gap, separator, indent: layout.indent, where });
  });
  if (texts.includes(undefined)) return undefined;
  const { mine } = place;
  const open = slice(context, 'mine', { start: mine.start, end: mine.inner.start });
  const close = slice(context, 'mine', { start: mine.inner.end, end: mine.end });
  return open + texts.join('') + (pieces.length === 0 ? '' : layout.tail) + close;
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

function separatorAt({ separator, trails, inLines }: Layout, { isLast }: { isLast: boolean }): string {
  if (separator === ',') return !isLast || trails ? ',' : '';
  if (separator === ';') return (inLines ? trails : !isLast || trails) ? ';' : '';
  return '';
}

function tailOf(item: PrintedItem, separator: string, layout: Layout): string {
  const own = item.separator !== '' && layout.separator === ';' ? item.separator : separator;
  return item.beforeSeparator + (separator === '' && layout.separator !== ';' ? '' : own) + item.afterSeparator;
}

function isComment({ mine, theirs }: Piece): boolean {
  return isCommentKey((mine ?? theirs)?.key ?? '');
}
