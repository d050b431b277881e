import { present } from '../../schema/present.ts';
import { fieldTypes } from '../../types/all.ts';
import type { Bounds, ColumnFacts } from '../dialect.ts';

/** The bounds that are written, and for the rest those of the type itself where its columns hold more. */
export function everyBound({ type, min, max }: ColumnFacts): Bounds {
  const limits = fieldTypes[type.kind].limits?.(type);
  const widest = limits?.isColumn ? undefined : limits;
  return present({ min: min ?? widest?.min, max: max ?? widest?.max });
}
