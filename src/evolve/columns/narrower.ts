import type { App, Field } from '../../model/app.ts';
import { present } from '../../schema/present.ts';
import { valuesOf } from '../../model/values.ts';
import { fieldTypes } from '../../types/all.ts';
import { scaleDecimal } from '../../types/decimals.ts';
import type { Bounds } from '../dialect.ts';
import { everyBound } from './every-bound.ts';
import type { Pair } from '../pairs.ts';

/** Whether a value, once converted, may be one that the new field refuses. */
export function isNarrower({ before, after }: Pair<Field>, apps: Pair<App>): boolean {
  if (after.type.kind === 'enum') {
    const kept = new Set(valuesOf(after, apps.after).map(({ id }) => id));
    const former = valuesOf(before, apps.before);
    return former.length === 0 || former.some(({ id }) => !kept.has(id));
  }
  const was = measure(before) === measure(after) ? knownBounds(before) : {};
  const is = everyBound(after);
  return isAbove(is.min, was.min) || isBelow(is.max, was.max);
}

function measure({ type }: Field): string {
  const { limits, range = 'none' } = fieldTypes[type.kind];
  return limits === undefined ? range : 'value';
}

function knownBounds(field: Field): Bounds {
  const { min, max } = fieldTypes[field.type.kind].limits?.(field.type) ?? {};
  return present({ min, max, ...everyBound(field) });
}

type Bound = string | number | undefined;

function isAbove(is: Bound, was: Bound): boolean {
  return is !== undefined && (was === undefined || exact(is) > exact(was));
}

function isBelow(is: Bound, was: Bound): boolean {
  return is !== undefined && (was === undefined || exact(is) < exact(was));
}

const mostDigits = 30;

function exact(bound: string | number): bigint {
  return scaleDecimal(String(bound), mostDigits) ?? 0n;
}
