import { charactersIn } from '../types/misfit.ts';
import type { Position } from './problem.ts';

/** A schema file as a tree of values that know where they stand, aliases already followed. */
export type Node = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
  /** As typed, without quotes: `0.10` and `9007199254740993` lose nothing here. */
  readonly source: string;
  /** Column of the value's first character; absent where the text is escaped, folded or spread over lines. */
  readonly column?: number;
}

interface ListNode {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly Node[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly at: Position;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly key: ScalarNode;
  readonly name: string;
  readonly value: Node;
}

/** Where a part of a text stands, or the whole text where it is not written verbatim. */
export function partOf(node: ScalarNode, from: number, to: number): Position {
  if (node.column === undefined || typeof node.value !== 'string') return node.at;
  return {
    line: node.at.line,
    column: node.column + charactersIn(node.value.slice(0, from)),
    length: Math.max(1, charactersIn(node.value.slice(from, to))),
  };
}
