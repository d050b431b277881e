import { mostDigits } from '../../types/decimal.ts';
import { int } from '../../types/int.ts';
import type { plainKinds } from '../../types/field-type.ts';
import type { DraftType } from '../draft.ts';
import type { Catalogue, FoundTable } from '../catalogue.ts';
import type { ColumnRules } from './rules.ts';

/** A type, and what is lost in the conversion to it. */
export interface Converted extends DraftType {
  readonly lost?: string;
  /** For a number that is stored in units of its last digit: the digits after the point. */
  readonly scale?: number;
}

export interface ColumnScope {
  readonly table: FoundTable;
  readonly catalogue: Catalogue;
  readonly rules: ColumnRules;
  readonly enumFor: (values: readonly string[]) => string;
}

export function decimalType(
  digits: number,
  scale: number,
  { rules: { min, max }, catalogue }: ColumnScope,
): Converted {
  const most = mostDigits[catalogue.engine];
  if (digits <= most) return { type: { kind: 'decimal', precision: digits, scale }, min, max };
  return {
    type: { kind: 'decimal', precision: most, scale: Math.min(scale, 6) },
    lost: `it had ${digits} digits, ${scale} of them after the point`,
  };
}

/** A type without options. */
export const plainType = (kind: PlainKind): Converted => ({ type: { kind } });

export type PlainKind = (typeof plainKinds)[number];

export function withLengths(
  kind: 'string' | 'text' | 'bytes',
  { least = 0, most }: ColumnRules,
): Converted {
  const min = least === 0 ? undefined : String(least);
  return { type: { kind }, min, max: most === undefined ? undefined : String(most) };
}

/** A type with a range, without bounds that the type itself has. */
export function withRange(
  kind: 'int' | 'bigint' | 'float',
  { min, max }: ColumnRules,
  isSmall = false,
): Converted {
  const limits = isSmall ? int.limits?.({ kind: 'int' }) : undefined;
  return {
    type: { kind },
    min: min === limits?.min ? undefined : min,
    max: max === limits?.max ? undefined : max,
  };
}
