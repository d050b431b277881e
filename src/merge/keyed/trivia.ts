import type { Span } from './tree.ts';

/** The place of the next token. */
export function skipTrivia(text: string, start: number): number {
  trivia.lastIndex = start;
  trivia.test(text);
  return trivia.lastIndex;
}

const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** The end of the comments that follow on the same line with nothing behind them; else the start. */
export function endOfLineComments(text: string, { start, end }: Span): number {
  trailing.lastIndex = start;
  const found = trailing.exec(text)?.[0];
  return found && start + found.length <= end ? start + found.length : start;
}

const trailing =
  /[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/)(?=[ \t]*(?:\n|$))/y;

interface Comments {
  readonly alone: readonly Span[];
  /** The last block, when nothing but a line end is between it and what follows. */
  readonly attached: Span | undefined;
}

interface Before {
  readonly span: Span;
  /** Whether a bracket opens right before. */
  readonly opens: boolean;
  /** Whether the first block is about the whole file. */
  readonly isHeader: boolean;
}

/** The comments between two items, in blocks that blank lines part. */
export function commentsBefore(text: string, { span, opens, isHeader }: Before): Comments {
  const comments = [...text.slice(span.start, span.end).matchAll(comment)].map((found) => {
    const start = span.start + found.index;
    return { start, end: start + found[0].length };
  });
  const blocks: Span[] = [];
  const isBehindBracket = ({ start }: Span) =>
    opens && span.start > 0 && lineEnds(text.slice(span.start, start)) === 0;
  for (const it of comments) {
    const last = blocks.at(-1);
    const isApart = !last || lineEnds(text.slice(last.end, it.start)) > 1 || isBehindBracket(last);
    if (isApart) blocks.push(it);
    else blocks.splice(-1, 1, { start: last.start, end: it.end });
  }
  const last = blocks.at(-1);
  const after = last ? lineEnds(text.slice(last.end, span.end)) : 0;
  const isAlone =
    !last || after > 1 || (after > 0 && isBehindBracket(last)) || (isHeader && blocks.length === 1);
  return isAlone
    ? { alone: blocks, attached: undefined }
    : { alone: blocks.slice(0, -1), attached: last };
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function lineEnds(text: string): number {
  return text.split('\n').length - 1;
}
