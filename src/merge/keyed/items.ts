import type { Item, ListRule, Source, Span } from './tree.ts';
import { tokensIn } from './tree.ts';
import { commentsBefore, endOfLineComments, skipTrivia } from './trivia.ts';

/** An item as a parser finds it: without the comments around. */
export interface Element extends Omit<Item, 'full' | 'separator'> {
  /** Whether a comment above it is about the whole file. */
  readonly isHeaded: boolean;
}

interface Contents {
  readonly elements: readonly Element[];
  readonly rule: ListRule;
  readonly inner: Span;
}

/** The items of a list, each with its comments; comments that belong to none are items too. */
export function withComments(source: Source, { elements, rule, inner }: Contents): Item[] {
  const { text } = source;
  const items: Item[] = [];
  let place = inner.start;
  for (const { isHeaded, ...element } of elements) {
    const { start, end } = element.node;
    const { alone, attached } = commentsBefore(text, {
      span: { start: place, end: start },
      opens: place === inner.start,
      isHeader: place === 0 && isHeaded,
    });
    const separator = separatorAfter(text, { end, rule, limit: inner.end });
    const last = endOfLineComments(text, { start: separator?.end ?? end, end: inner.end });
    const full = { start: attached?.start ?? start, end: last };
    items.push(...alone.map((span) => commentItem(source, span)));
    items.push({ ...element, full, ...(separator && { separator }) });
    place = last;
  }
  const { alone, attached } = commentsBefore(text, {
    span: { start: place, end: inner.end },
    opens: place === inner.start,
    isHeader: false,
  });
  const rest = attached ? [...alone, attached] : alone;
  return [...items, ...rest.map((span) => commentItem(source, span))];
}

interface After {
  readonly end: number;
  readonly rule: ListRule;
  readonly limit: number;
}

function separatorAfter(text: string, { end, rule, limit }: After): Span | undefined {
  if (rule.separator !== ',' && rule.separator !== ';') return undefined;
  const start = skipTrivia(text, end);
  const isThere = start < limit && (text[start] === ',' || text[start] === ';');
  return isThere ? { start, end: start + 1 } : undefined;
}

function commentItem(source: Source, span: Span): Item {
  const rest = { binds: [], placed: false, leaves: () => false, unites: false };
  const key = tokensIn(source, span).join(' ');
  return { key, node: { kind: 'leaf', ...span }, full: span, ...rest };
}
