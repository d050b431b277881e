import type { Source, Span, Token } from './tree.ts';

/** The tokens inside a span. The end of a statement is a token without width. */
export function tokensIn(source: Source, span: Span): readonly string[] {
  return tokensWithin(source, span).map(({ text }) => text);
}

export function commentsIn(source: Source, span: Span): readonly Token[] {
  return tokensWithin(source, span).filter(({ text }) => isCommentText(text));
}

export const isCommentText = (text: string) => /^\/[/*]/.test(text);

function tokensWithin({ tokens }: Source, { start, end }: Span): readonly Token[] {
  const found: Token[] = [];
  for (let index = firstFrom(tokens, start); index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token || token.start >= end) break;
    const isInside = token.start === token.end ? token.start > start : token.end <= end;
    if (isInside) found.push(token);
  }
  return found;
}

function firstFrom(tokens: readonly Token[], start: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? start) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
