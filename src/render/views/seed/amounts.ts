import { spaced } from '../../../naming/name.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Field, Model } from '../../../model/app.ts';
import { tsCall, tsObject } from '../../typescript.ts';
import { believable, digitsOf, isAmount, typed } from './numbers.ts';
import { type Product, room, type Row, type Sum } from './sums.ts';

/** A part of what the amount of the row above leaves, or the price that it says. */
export function aboveCall(
  field: Field,
  {
    sum,
    product,
    row,
  }: {
    readonly sum: Sum | undefined;
    readonly product: Product | undefined;
    readonly row: Row;
  },
): string | undefined {
  const { keys, speak } = row;
  const isBase = sum?.bases.includes(field) === true;
  if (!isAmount(field) || !(isBase || amounts.test(spaced(field.column)))) return undefined;
  const isPrice = /\b(unit )?price$/.test(spaced(field.column));
  for (const { name, target } of keys.parents) {
    const whole = wholeOf(target);
    const count = field === product?.price && isAmount(product.count) ? product.count : undefined;
    if (whole !== undefined && (!isPrice || count !== undefined)) {
      const parent = keys.rowOf(name);
      const all = `${parent}.${whole.column}`;
      const isMore = isBase || (count !== undefined && sum !== undefined);
      const amount = isMore ? `Number(${all}) / ${room}` : all;
      const most = whole.type.kind === 'float' ? Infinity : believable(whole, target)[1];
      const bounds = tsObject({ ...boundsOf(field, most), pieces: count && speak(count) });
      return typed(field, tsCall('rows.share', parent, amount, String(digitsOf(field)), bounds));
    }
    const same = isPrice && target.fields.find((it) => isSame(it, field));
    if (same !== undefined && same !== false) return `${keys.rowOf(name)}.${same.column}`;
  }
  return undefined;
}

const amounts = /\b(amount|sum|total|price|cost|value|paid|fee)\b/;

function wholeOf({ fields }: Model): Field | undefined {
  const names =
    'total|gross|total amount|total cost|total price|amount|sum|budget|value|limit'.split('|');
  return names
    .map((name) => fields.find((field) => isAmount(field) && spaced(field.column) === name))
    .find((field) => field !== undefined);
}

/** Whether the value of the row above fits the column, too. */
const isSame = (one: Field, own: Field) =>
  one.column === own.column &&
  isAmount(one) &&
  isDeepStrictEqual(one.type, own.type) &&
  [own.min ?? one.min, own.max ?? one.max].join() === [one.min, one.max].join();

/** Of an amount that comes to `most`: no more than the column holds. */
function boundsOf({ min, max }: Field, most: number) {
  return {
    min: Number(min ?? 0) > 0 ? String(Number(min)) : undefined,
    max: max !== undefined && Number(max) < most ? String(Number(max)) : undefined,
  };
}
