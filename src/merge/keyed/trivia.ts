import { countLineEnds } from '../line-endings.ts';
import { type Item, type ListRule, type Source, type Span, unnamedItem } from './tree.ts';
import { commentsIn, tokensIn } from './source-tokens.ts';

/** The offset of the next token. */
export function skipTrivia(text: string, start: number): number {
  trivia.lastIndex = start;
  trivia.test(text);
  return trivia.lastIndex;
}

const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** The end of comments that finish the line; otherwise `start`. */
function endOfLineComments(text: string, { start, end }: Span): number {
  trailing.lastIndex = start;
  const found = trailing.exec(text)?.[0];
  return found && start + found.length <= end ? start + found.length : start;
}

const trailing =
  /[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/)(?=[ \t]*(?:\n|$))/y;

/**
 * Groups the comments between two items by blank lines. The last group is `attached` if the next item follows directly.
 * `opens`: whether a bracket precedes; `isHeader`: whether the first group may be about the whole file.
 */
function commentsBefore(
  source: Source,
  span: Span,
  { opens, isHeader }: { readonly opens: boolean; readonly isHeader: boolean },
): { readonly alone: readonly Span[]; readonly attached: Span | undefined } {
  const { text } = source;
  const blocks: Span[] = [];
  const isBehindBracket = ({ start }: Span) =>
    opens && span.start > 0 && countLineEnds(text.slice(span.start, start)) === 0;
  for (const it of commentsIn(source, span)) {
    const last = blocks.at(-1);
    const isApart =
      !last || countLineEnds(text.slice(last.end, it.start)) > 1 || isBehindBracket(last);
    if (isApart) blocks.push({ start: it.start, end: it.end });
    else blocks.splice(-1, 1, { start: last.start, end: it.end });
  }
  const last = blocks.at(-1);
  const after = last ? countLineEnds(text.slice(last.end, span.end)) : 0;
  const isAlone =
    !last || after > 1 || (after > 0 && isBehindBracket(last)) || (isHeader && blocks.length === 1);
  return isAlone
    ? { alone: blocks, attached: undefined }
    : { alone: blocks.slice(0, -1), attached: last };
}

/** An item without its comments, as a parser finds it. */
export type BareItem = Omit<Item, 'full' | 'separator'>;

/** Attaches comments to items. A comment that belongs to none becomes an item. */
export function withComments(
  source: Source,
  bare: readonly BareItem[],
  rule: ListRule,
  inner: Span,
): Item[] {
  const { text } = source;
  const items: Item[] = [];
  let offset = inner.start;
  for (const item of bare) {
    const { start, end } = item.node;
    const { alone, attached } = commentsBefore(
      source,
      { start: offset, end: start },
      { opens: offset === inner.start, isHeader: offset === 0 && item.isImport },
    );
    const separator = separatorAfter(text, end, rule, inner.end);
    const last = endOfLineComments(text, { start: separator?.end ?? end, end: inner.end });
    const full = { start: attached?.start ?? start, end: last };
    items.push(...alone.map((span) => commentItem(source, span)));
    items.push({ ...item, full, ...(separator && { separator }) });
    offset = last;
  }
  const { alone, attached } = commentsBefore(
    source,
    { start: offset, end: inner.end },
    { opens: offset === inner.start, isHeader: false },
  );
  const rest = attached ? [...alone, attached] : alone;
  return [...items, ...rest.map((span) => commentItem(source, span))];
}

function separatorAfter(
  text: string,
  end: number,
  { separator }: ListRule,
  limit: number,
): Span | undefined {
  if (separator !== ',' && separator !== ';') return undefined;
  const start = skipTrivia(text, end);
  const isThere = start < limit && (text[start] === ',' || text[start] === ';');
  return isThere ? { start, end: start + 1 } : undefined;
}

function commentItem(source: Source, span: Span): Item {
  const key = { kind: 'comment', name: tokensIn(source, span) } as const;
  return { key, node: { kind: 'leaf', ...span }, full: span, ...unnamedItem };
}
