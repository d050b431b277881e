import type { Position } from './problem.ts';
import { charactersIn } from './source.ts';

export interface LineTable {
  readonly lines: readonly string[];
  at(start: number, end: number): Position;
}

/** Turns offsets into places. A token that runs over its line is marked up to the line's end. */
export function lineTable(text: string): LineTable {
  const lines = text.split('\n');
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + 1;
  }
  return {
    lines: lines.map((line) => line.replace(/\r$/, '')),
    at(start, end) {
      const line = lastAtOrBelow(starts, start);
      const content = (lines[line] ?? '').replace(/\r$/, '');
      const from = start - (starts[line] ?? 0);
      const to = Math.min(end - (starts[line] ?? 0), content.length);
      return {
        line: line + 1,
        column: charactersIn(content.slice(line === 0 ? byteOrderMark(content) : 0, from)) + 1,
        length: Math.max(1, charactersIn(content.slice(from, to))),
      };
    },
  };
}

function byteOrderMark(line: string): number {
  return line.startsWith('\uFEFF') ? 1 : 0;
}

function lastAtOrBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
