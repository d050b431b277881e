import { spacedWords } from '../../../naming/name.ts';
import type { Field } from '../../../model/app.ts';
import { isParent } from './keys.ts';
import { believableRange, digitsOf, isAmount, isWithin } from './numbers.ts';
import {
  constant,
  type NumberCode,
  printNumber,
  findCalled,
  type DerivedField,
  derivedField,
  printProduct,
  type Row,
  printSum,
} from './row.ts';

/** Amounts that are added to or subtracted from another, and their shares of it. */
const partTexts = [
  [/\b(tax|vat|gst)( amount)?$/, '+', '0.2'],
  [/\b(social security|insurance|pension)( contribution)?$/, '+', '0.1'],
  [/\b(shipping|delivery|postage|handling|booking|service)( fee| cost| charge)?$/, '+', '0.05'],
  [/\b(tip|gratuity)$/, '+', 'draw.oneOf([0, 0.1])'],
  [/\b(discount|rebate|reduction)( amount)?$/, '-', 'draw.oneOf([0, 0.05, 0.1])'],
] as const;
const taxes = /\b(tax|vat|gst)\b/;
const rates = /\b(tax|vat|gst) (rate|percent(age)?|pct)$/;
/** Leaves a margin, so that children add up to less than the row above. */
export const spareFactor = 1.5;

const wholes = /^(grand total|gross( \w+)?|total( \w+)?|(amount|price) (incl\w*|with) (tax|vat))$/;
const bases =
  /^(sub ?total|net( \w+)?|(labou?r|parts?|materials?)( costs?)?|(amount|price) (excl\w*|without|before) (tax|vat))$/;

/** A quantity and its price. */
const products = [
  [/\b(quantity|qty|pieces|units|tickets)\b/, /\bprice$|\bunit cost$|\bper \w+$/],
  [/\bnights$/, /\b(price|rate)( per night)?$|\bnightly\b/],
  [/\bhours( worked| billed)?$/, /\bhourly\b|\bper hour$|\brate$/],
  [/\bdays$/, /\bdaily\b|\bper day$|\bday rate$/],
  [/\bmonths$/, /\bmonthly\b|\bper month$/],
] as const;
const results =
  /^(sub ?total|net( amount)?|(line |row |total )?(amount|price|cost)|(line |row )?total|sum|gross)$/;
const totals = /^(total|line|gross|net)\b/;

export interface Product {
  readonly count: Field;
  readonly price: Field | undefined;
  readonly factors: readonly NumberCode[];
  readonly result: DerivedField | undefined;
}

export function findProduct(fields: readonly Field[], row: Row): Product | undefined {
  for (const [isCount, isPrice] of products) {
    const count = findCalled(fields, isCount);
    if (count === undefined) continue;
    const others = fields.filter((it) => it !== count);
    const price = findPrice(others, isPrice);
    const factor = price === undefined ? findPriceAbove(isPrice, row) : printNumber(price, row);
    if (factor === undefined) continue;
    const factors = [printNumber(count, row), factor];
    const isResult = (it: Field) =>
      it !== price &&
      results.test(spacedWords(it.column)) &&
      isWithin(it, printProduct(it, factors).range);
    const result = others.find(isResult);
    const following = result && derivedField(result, printProduct(result, factors));
    return { count, price, factors, result: following };
  }
  return undefined;
}

const findPrice = (fields: readonly Field[], isPrice: RegExp) =>
  findCalled(
    fields.filter(({ column }) => !totals.test(spacedWords(column))),
    isPrice,
  );

/** `room.price_per_night` */
function findPriceAbove(isPrice: RegExp, { keys, model }: Row): NumberCode | undefined {
  const [found] = keys.flatMap((key) => {
    const price = isParent(key, model) && findPrice(key.target.fields.filter(isAmount), isPrice);
    if (price === false || price === undefined) return [];
    return [constant(`${key.variable}.${price.column}`, believableRange(price, key.target))];
  });
  return found;
}

/** Net plus tax is gross. Without a net amount, quantity times price takes its place. */
export function findSum(
  fields: readonly Field[],
  product: Product | undefined,
  row: Row,
): { readonly following: readonly DerivedField[]; readonly bases: readonly Field[] } | undefined {
  const whole = findCalled(fields, wholes);
  if (whole === undefined) return undefined;
  const others = fields.filter((it) => it !== whole && digitsOf(it) <= digitsOf(whole));
  const parts = partsIn(others, findCalled(fields, rates), row);
  const own = others.filter(
    (it) => isBaseOf(whole, it) && parts.every(({ field }) => field !== it),
  );
  const terms = own.map((it) => {
    const { result } = product ?? {};
    return constant(
      printNumber(it, row).text,
      it === result?.field ? result.range : believableRange(it, row.model),
    );
  });
  if (terms.length === 0 && product !== undefined && product.count !== whole)
    terms.push(printProduct(whole, product.factors));
  const [first] = terms;
  if (first === undefined || terms.length + parts.length < 2) return undefined;
  const base = terms.length === 1 ? first : printSum(whole, terms, []);
  const [least, most] = base.range;
  const shares = parts.map(({ field, share }) => {
    const { text } = printProduct(field, [base, constant(share)]);
    return derivedField(field, constant(text, [0, most / 2]));
  });
  const [added, taken] = ['+', '-'].map((it) =>
    parts.filter(({ sign }) => sign === it).map(({ figure }) => figure),
  );
  const { text } = printSum(whole, [...terms, ...(added ?? [])], taken ?? []);
  const following = [
    derivedField(whole, constant(text, [least / 2, most * spareFactor])),
    ...shares,
  ];
  const isRoomy = following.every(({ field, range }) => isWithin(field, range));
  return isRoomy ? { following, bases: own } : undefined;
}

/** A tax uses the rate of the row. */
function partsIn(fields: readonly Field[], rate: Field | undefined, row: Row) {
  return fields.flatMap((field) => {
    const words = spacedWords(field.column);
    const [, sign, usual] = partTexts.find(([is]) => is.test(words)) ?? [];
    if (sign === undefined) return [];
    const isRated = rate !== undefined && taxes.test(words);
    const share = isRated ? `${printNumber(rate, row).text}, 0.01` : usual;
    return [{ field, sign, share, figure: printNumber(field, row) }];
  });
}

/** Hours are a part of a total of hours. */
function isBaseOf(whole: Field, { column }: Field): boolean {
  const [, noun = '-'] = /^total (\w+)$/.exec(spacedWords(whole.column)) ?? [];
  const isPart = new RegExp(`^(?!unit|hourly|average|max|min)\\w+ ${noun}$`);
  return bases.test(spacedWords(column)) || isPart.test(spacedWords(column));
}
