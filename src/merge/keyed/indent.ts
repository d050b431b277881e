import type { Source, Span } from './tree.ts';

/** The white space at the start of a line. */
export function indentAt({ text }: Source, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

/** A span with another indentation. The first line and lines inside template literals keep theirs. */
export function indented(source: Source, span: Span, indent: string): string {
  const old = indentAt(source, span.start);
  const text = source.text.slice(span.start, span.end);
  if (old === indent) return text;
  return text.replace(/\n([ \t]*)(?=\S)/g, (line, space: string, index: number) => {
    if (source.frozenLines.has(span.start + index + 1) || !space.startsWith(old)) return line;
    return `\n${indent}${space.slice(old.length)}`;
  });
}
