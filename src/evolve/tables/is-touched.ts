import type { Pair } from '../pairs.ts';
import { shapeOf } from './shape.ts';
import type { Table } from './table.ts';

/** Whether a table has to be changed at all. */
export function isTouched({ before, after }: Pair<Table>): boolean {
  return shapeOf(before) !== shapeOf(after);
}
