import { spacedWords } from '../../../naming/name.ts';
import type { Field, Model } from '../../../model/app.ts';
import { tsCall, tsObject } from '../../typescript.ts';
import { isParent } from './keys.ts';
import { believableRange, digitsOf, isAmount, isWithin } from './numbers.ts';
import {
  constant,
  printNumber,
  findCalled,
  type DerivedField,
  derivedField,
  type Row,
} from './row.ts';
import { type Product, spareFactor } from './sums.ts';

/**
 * Draws a part of what is left of an amount in the row above, or a price of that row. `bases`: amounts of this row that
 * others are added to.
 */
export function findAbove(
  field: Field,
  {
    bases,
    product,
    row,
  }: {
    readonly row: Row;
    readonly product: Product | undefined;
    readonly bases: readonly Field[] | undefined;
  },
): DerivedField | undefined {
  const isBase = bases?.includes(field) === true;
  if (!isAmount(field) || !(isBase || amounts.test(spacedWords(field.column)))) return undefined;
  const isPrice = /\b(unit )?price$/.test(spacedWords(field.column));
  const count = field === product?.price && isAmount(product.count) ? product.count : undefined;
  for (const { target, variable } of row.keys.filter((key) => isParent(key, row.model))) {
    const whole = findWhole(target);
    if (whole !== undefined && (!isPrice || count !== undefined)) {
      const all = `${variable}.${whole.column}`;
      const isMore = isBase || (count !== undefined && bases !== undefined);
      const amount = isMore ? `Number(${all}) / ${spareFactor}` : all;
      const most = whole.type.kind === 'float' ? Infinity : believableRange(whole, target)[1];
      const bounds = tsObject({
        ...chooseAmountBounds(field, most),
        pieces: count && printNumber(count, row).text,
      });
      const text = tsCall('rows.share', variable, amount, String(digitsOf(field)), bounds);
      return derivedField(field, constant(text));
    }
    const same = target.fields.find((it) => isAmount(it) && it.column === field.column);
    if (
      isPrice &&
      same?.type.kind === field.type.kind &&
      isWithin(field, believableRange(same, target))
    )
      return { field, ...constant(`${variable}.${field.column}`) };
  }
  return undefined;
}

const amounts = /\b(amount|sum|total|price|cost|value|paid|fee)\b/;

function findWhole({ fields }: Model): Field | undefined {
  const names =
    'total|gross|total amount|total cost|total price|amount|sum|budget|value|limit'.split('|');
  const found = names.map((name) => findCalled(fields.filter(isAmount), new RegExp(`^${name}$`)));
  return found.find((field) => field !== undefined);
}

/** The bounds of an amount: at most `most`, and what the column holds. */
function chooseAmountBounds({ min, max }: Field, most: number) {
  return {
    min: Number(min ?? 0) > 0 ? String(Number(min)) : undefined,
    max: max !== undefined && Number(max) < most ? String(Number(max)) : undefined,
  };
}
