import type { FieldType } from '../../model/app.ts';
import { present } from '../../schema/present.ts';
import type { Bounds, ColumnFacts } from '../dialect.ts';

/** The bounds that are written, and for the rest those of the type itself. */
export function everyBound({ type, min, max }: ColumnFacts): Bounds {
  const widest = widestBounds(type);
  return present({ min: min ?? widest.min, max: max ?? widest.max });
}

function widestBounds(type: FieldType): Bounds {
  if (type.kind === 'int') return { min: -(2 ** 31), max: 2 ** 31 - 1 };
  if (type.kind !== 'decimal') return {};
  const fraction = type.scale === 0 ? '' : `.${'9'.repeat(type.scale)}`;
  const largest = `${'9'.repeat(type.precision - type.scale) || '0'}${fraction}`;
  return { min: `-${largest}`, max: largest };
}
