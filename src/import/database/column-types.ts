import { mostDigits } from '../../types/decimal.ts';
import { type Converted, decimalType } from '../converted.ts';
import type { Catalogue, FoundTable } from './catalogue.ts';
import type { ColumnRules } from './rules.ts';

export interface ColumnScope {
  readonly table: FoundTable;
  readonly catalogue: Catalogue;
  readonly rules: ColumnRules;
  /** The enum that has these values. */
  readonly enumFor: (values: readonly string[]) => string;
}

export function boundedDecimal(
  digits: number,
  scale: number,
  { rules: { min, max }, catalogue }: ColumnScope,
): Converted {
  const found = decimalType(digits, scale, mostDigits[catalogue.engine]);
  return found.lost === undefined ? { ...found, min, max } : found;
}

export function sized(
  kind: 'string' | 'text' | 'bytes',
  { least = 0, most }: ColumnRules,
): Converted {
  const min = least === 0 ? undefined : String(least);
  return { type: { kind }, min, max: most === undefined ? undefined : String(most) };
}

/** Bounds that the type has anyhow need not be said. */
export function ranged(
  kind: 'int' | 'bigint' | 'float',
  { min, max }: ColumnRules,
  isSmall = false,
): Converted {
  const limits: Partial<typeof int32> = isSmall ? int32 : {};
  return {
    type: { kind },
    min: min === limits.min ? undefined : min,
    max: max === limits.max ? undefined : max,
  };
}

const int32 = { min: '-2147483648', max: '2147483647' };
