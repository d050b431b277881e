import { charactersIn } from '../types/value-flaw.ts';
import type { Position } from './problem.ts';

/** A value of a schema file with its position. Aliases are resolved. */
export type SchemaNode =
  | ScalarNode
  | MapNode
  | { readonly kind: 'list'; readonly at: Position; readonly items: readonly SchemaNode[] };

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
  /** The text as it was typed, without quotes, so that `0.10` and `9007199254740993` keep their digits. */
  readonly source: string;
  /** The column of the first character. Absent if the text is escaped, folded or spread over several lines. */
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

/** The position of a part of a text, or of the whole text if that was not typed verbatim. */
export function locatePart(node: ScalarNode, from: number, to: number): Position {
  if (node.column === undefined || typeof node.value !== 'string') return node.at;
  return {
    line: node.at.line,
    column: node.column + charactersIn(node.value.slice(0, from)),
    length: Math.max(1, charactersIn(node.value.slice(from, to))),
  };
}

/** How many of some ascending numbers are below a limit. */
function countBelow(limit: number, ascending: readonly number[]): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? limit) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The position of a range of offsets. A range of several lines ends with the first one. */
export type PositionOf = (start: number, end: number) => Position;

/** `linePos` finds the line and the column of an offset, from 1. */
export function positionsIn(
  text: string,
  linePos: (offset: number) => { readonly line: number; readonly col: number },
): PositionOf {
  // Characters that JavaScript counts as two, and a byte-order mark, which is not shown.
  const wide = [...text.matchAll(/[^\0-\uffff]|^\uFEFF/gu)].map(({ index }) => index);
  const charactersBetween = (start: number, end: number) =>
    end - start - (countBelow(end, wide) - countBelow(start, wide));
  return (start, end) => {
    const { line, col } = linePos(start);
    const [token = ''] = /^[^\r\n]*/.exec(text.slice(start, end)) ?? [];
    return {
      line,
      column: charactersBetween(start - col + 1, start) + 1,
      length: Math.max(1, charactersBetween(start, start + token.length)),
    };
  };
}
