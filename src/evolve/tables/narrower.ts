import { present } from '../../present.ts';
import type { App, Field } from '../../model/app.ts';
import { listEnumValues } from '../../model/lookups.ts';
import { fieldTypes } from '../../types/all.ts';
import { scaleDecimal } from '../../types/numbers.ts';
import { type Bounds, everyBound } from '../dialect.ts';
import type { Pair } from '../pairs.ts';

/** Whether the new field may refuse a converted value. */
export function isNarrower({ before, after }: Pair<Field>, apps: Pair<App>): boolean {
  if (after.type.kind === 'enum') {
    const kept = new Set(listEnumValues(after, apps.after).map(({ id }) => id));
    const former = listEnumValues(before, apps.before);
    return former.length === 0 || former.some(({ id }) => !kept.has(id));
  }
  const was = boundsAs(measure(after), before, apps.before);
  const is = everyBound(after);
  const isAbove = is.min !== undefined && (was.min === undefined || exact(is.min) > exact(was.min));
  const isBelow = is.max !== undefined && (was.max === undefined || exact(is.max) < exact(was.max));
  return isAbove || isBelow;
}

/** The known bounds of the old values, in the measure of the new field. */
function boundsAs(measured: string, before: Field, app: App): Bounds {
  if (measure(before) === measured) {
    const { min, max } = fieldTypes[before.type.kind].limits?.(before.type) ?? {};
    return present({ min, max, ...everyBound(before) });
  }
  if (measured !== 'characters') return {};
  const lengths = listEnumValues(before, app).map(({ value }) => [...value].length);
  if (lengths.length > 0) return { min: Math.min(...lengths), max: Math.max(...lengths) };
  const { least: min, most: max } = fieldTypes[before.type.kind].asText ?? {};
  return present({ min, max });
}

function measure({ type }: Field): string {
  const { limits, range = 'none' } = fieldTypes[type.kind];
  return limits === undefined ? range : 'value';
}

const mostComparedDigits = 30;

const exact = (bound: string | number): bigint =>
  scaleDecimal(String(bound), mostComparedDigits) ?? 0n;
