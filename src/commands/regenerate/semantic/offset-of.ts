interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place in a text that a compiler names by line and column, both from 1; the mark at the start is no column. */
export function offsetOf(text: string, { line, column }: Place): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}
