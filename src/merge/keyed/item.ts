import {
  changesAt,
  type EditedSide,
  isEqual,
  mapSides,
  slice,
  tokensOf,
  type Context,
  type MergedText,
  type Sides,
  type Side,
} from './context.ts';
import { indentAt, indented } from './indent.ts';
import { mergeLeaf, takeTheirs } from './leaf.ts';
import type { Item, Source, Span, Token } from './tree.ts';
import { commentsIn } from './source-tokens.ts';

/** The text of an item with its comments, and the text around its separator. */
export interface PrintedItem {
  readonly text: MergedText;
  readonly beforeSeparator: string;
  readonly separator: string;
  readonly afterSeparator: string;
}

/** Merges the comments above, the item and the comment after it separately. A comment that both changed stays the owner's. */
export function mergeItem(context: Context, sides: Sides<Item>): PrintedItem | undefined {
  const leads = mapSides(sides, ({ full, node }) => ({ start: full.start, end: node.start }));
  const lead = mergeComments(context, leads);
  const nodes = mapSides(sides, (it) => it.node);
  const node = context.mergeNode(context, nodes);
  const tailSide = sideOfTail(context, sides);
  if (node === undefined) return undefined;
  const tail = printItem(context, tailSide, sides[tailSide]);
  const { separator } = printItem(context, 'ours', sides.ours);
  return { ...tail, separator, text: [lead, ...node] };
}

export function printItem(context: Context, side: EditedSide, item: Item): PrintedItem {
  const { full, node, separator } = item;
  const end = separator?.start ?? node.end;
  return {
    text: [slice(context, side, { start: full.start, end: node.end })],
    beforeSeparator: slice(context, side, { start: node.end, end }),
    separator: separator ? slice(context, side, separator) : '',
    afterSeparator: slice(context, side, { start: separator?.end ?? end, end: full.end }),
  };
}

/** The tokens of an item without its separator, which depends on its neighbours. */
export function itemTokens(context: Context, side: Side, item: Item): readonly string[] {
  const { full, node } = item;
  const itself = tokensOf(context, side, { start: full.start, end: node.end });
  return [...itself, ...tailComments(context, side, item)];
}

function tailComments(context: Context, side: Side, { node, full }: Item): string[] {
  const tail = { start: node.end, end: full.end };
  return listTokenTexts(commentsIn(context.sources[side], tail));
}

function sideOfTail(context: Context, sides: Sides<Item>): EditedSide {
  const base = sides.base ? tailComments(context, 'base', sides.base) : [];
  const ours = tailComments(context, 'ours', sides.ours);
  return isEqual(ours, base) ? 'theirs' : 'ours';
}

/** Keeps what one side wrote around the comments of the base, and takes those comments from the other side. */
function mergeComments(context: Context, sides: Sides<Span>): string {
  const { base, ours, theirs } = sides;
  const changes = changesAt(context, sides);
  if (changes.theirs && !changes.ours) return takeTheirs(context, sides) ?? '';
  const merged = mergeLeaf(context, sides);
  if (merged !== undefined) return merged;
  const old = base ? tokensOf(context, 'base', base) : [];
  const indent = indentAt(context.sources.ours, ours.end);
  const ourComments = commentsIn(context.sources.ours, ours);
  const theirComments = commentsIn(context.sources.theirs, theirs);
  if (theirComments.length > 0 && indexOfAll(listTokenTexts(theirComments), ourComments) >= 0)
    return slice(context, 'ours', ours);
  const inOurs = indexOfAll(old, ourComments);
  if (inOurs >= 0) {
    const kept = indented(context.sources.theirs, theirs, indent);
    return around(context.sources.ours, ours, spanOf(ourComments, inOurs, old.length, ours), kept);
  }
  const inTheirs = indexOfAll(old, theirComments);
  const kept = slice(context, 'ours', ours);
  if (inTheirs < 0) return kept;
  return around(
    context.sources.theirs,
    theirs,
    spanOf(theirComments, inTheirs, old.length, theirs),
    kept,
  );
}

/** The span of some comments, or the place where one would be. */
function spanOf(comments: readonly Token[], at: number, count: number, { end }: Span): Span {
  const start = comments[at]?.start ?? end;
  return { start, end: count === 0 ? start : (comments[at + count]?.start ?? end) };
}

/** The text of a span with a part replaced. */
function around({ text }: Source, { start, end }: Span, span: Span, by: string): string {
  return text.slice(start, span.start) + by + text.slice(span.end, end);
}

function listTokenTexts(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text);
}

function indexOfAll(tokens: readonly string[], comments: readonly Token[]): number {
  return comments.findIndex((_, index) =>
    isEqual(tokens, listTokenTexts(comments.slice(index, index + tokens.length))),
  );
}
