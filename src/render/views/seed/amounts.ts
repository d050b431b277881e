import type { Field, Model } from '../../../model/app.ts';
import { scaleOf } from '../../../types/field-type.ts';
import { tsCall, tsObject } from '../../typescript.ts';
import type { Keys } from './keys.ts';
import { rangeOf } from './values.ts';
import { spaced } from './words.ts';

/** A part of what the amount of the row above leaves, or the price that it says; undefined for what is neither. */
export function amountCall(field: Field, keys: Keys): string | undefined {
  const words = spaced(field.column);
  if (!isAmount(field) || !/\b(amount|sum|total|price|cost|value|paid|fee)\b/.test(words)) {
    return undefined;
  }
  const isPrice = /\b(unit )?price$/.test(words);
  for (const { name, target } of keys.parents) {
    const same = isPrice && target.fields.find((it) => isSame(it, field));
    if (same !== undefined && same !== false) return `${keys.rowOf(name)}.${same.column}`;
    const whole = isPrice ? undefined : wholeOf(target);
    if (whole !== undefined) return shareCall(field, whole, keys.rowOf(name));
  }
  return undefined;
}

const isAmount = ({ type, nullable }: Field) =>
  ['int', 'float', 'decimal', 'bigint'].includes(type.kind) && !nullable;

function wholeOf({ fields }: Model): Field | undefined {
  const names = ['total', 'amount', 'sum', 'budget', 'total_amount', 'value', 'limit'];
  return names
    .map((name) => fields.find((field) => isAmount(field) && field.column === name))
    .find((field) => field !== undefined);
}

/** What the row above holds is a value of the column, too. */
const isSame = (one: Field, own: Field) =>
  one.column === own.column &&
  isAmount(one) &&
  JSON.stringify(one.type) === JSON.stringify(own.type) &&
  [own.min ?? one.min, own.max ?? one.max].join() === [one.min, one.max].join();

function shareCall(field: Field, whole: Field, parent: string): string {
  const { type, min, max } = field;
  const scale = type.kind === 'float' ? 2 : scaleOf(type);
  const bounds = {
    min: Number(min ?? 0) > 0 ? String(Number(min)) : undefined,
    max: max !== undefined && Number(max) < mostOf(whole) ? String(Number(max)) : undefined,
  };
  const amount = `${parent}.${whole.column}`;
  const share = tsCall('rows.share', parent, amount, String(scale), tsObject(bounds));
  return type.kind === 'decimal' || type.kind === 'bigint' ? share : tsCall('Number', share);
}

const mostOf = (whole: Field) =>
  whole.type.kind === 'float'
    ? Infinity
    : Number(rangeOf(whole, false).most) / 10 ** scaleOf(whole.type);
