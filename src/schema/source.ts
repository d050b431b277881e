import { charactersIn } from '../types/misfit.ts';
import type { Position } from './problem.ts';

/** A schema file as a tree of values that know where they stand, aliases already followed. */
export type SchemaNode =
  | ScalarNode
  | MapNode
  | { readonly kind: 'list'; readonly at: Position; readonly items: readonly SchemaNode[] };

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
  /** As typed, without quotes: `0.10` and `9007199254740993` lose nothing here. */
  readonly source: string;
  /** Column of the value's first character; absent where the text is escaped, folded or spread over lines. */
  readonly column?: number;
}

export interface MapNode {
  readonly kind: 'map';
  readonly at: Position;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly name: string;
  readonly value: SchemaNode;
}

/** The position of a part of a text, or of the whole text where it is not written verbatim. */
export function partOf(node: ScalarNode, from: number, to: number): Position {
  if (node.column === undefined || typeof node.value !== 'string') return node.at;
  return {
    line: node.at.line,
    column: node.column + charactersIn(node.value.slice(0, from)),
    length: Math.max(1, charactersIn(node.value.slice(from, to))),
  };
}

export interface LineTable {
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
  const counts = new Map<number, Counter>();

  function counterOf(line: number): Counter {
    const counter = counts.get(line) ?? counterFor((lines[line] ?? '').replace(/\r$/, ''));
    counts.set(line, counter);
    return counter;
  }

  return {
    at(start, end) {
      const line = lastAtOrBelow(starts, start);
      const counter = counterOf(line);
      const before = counter(start - (starts[line] ?? 0));
      const after = counter(end - (starts[line] ?? 0));
      const hidden = line === 0 && text.startsWith('\uFEFF') && before > 0 ? 1 : 0;
      return { line: line + 1, column: before - hidden + 1, length: Math.max(1, after - before) };
    },
  };
}

/** Characters before an offset in a line, or in all of it. */
type Counter = (offset: number) => number;

/** Remembered: the whole file may be one line, and be measured for each of its tokens. */
function counterFor(line: string): Counter {
  if (!/\p{Surrogate}|[^\0-\uffff]/u.test(line)) return (offset) => Math.min(offset, line.length);
  const before = new Uint32Array(line.length + 1);
  let count = 0;
  let offset = 0;
  for (const character of line) {
    before.fill(count, offset, offset + character.length);
    offset += character.length;
    count++;
  }
  before[line.length] = count;
  return (at) => before[Math.min(at, line.length)] ?? count;
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
