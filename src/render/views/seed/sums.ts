import { spaced } from '../../../naming/name.ts';
import type { Field, Model } from '../../../model/app.ts';
import { tsCall } from '../../typescript.ts';
import { believable, digitsOf, isAmount, isWithin, type Range, typed } from './numbers.ts';
import type { RowKeys } from './keys.ts';
import type { Story } from './moments.ts';

/** What is added to an amount or taken from it, and which shares of it that may be. */
const partTexts = [
  [/\b(tax|vat|gst)( amount)?$/, '+', [0.2]],
  [/\b(social security|insurance|pension)( contribution)?$/, '+', [0.1]],
  [/\b(shipping|delivery|postage|handling|booking|service)( fee| cost| charge)?$/, '+', [0.05]],
  [/\b(tip|gratuity)$/, '+', [0, 0.1]],
  [/\b(discount|rebate|reduction)( amount)?$/, '-', [0, 0.05, 0.1]],
] as const;
const rates = /\b(tax|vat|gst) (rate|percent(age)?|pct)$/;
/** With all of them, children add up to less than the row above. */
export const room = 1.5;

const wholes = /^(grand total|gross( \w+)?|total( \w+)?|(amount|price) (incl\w*|with) (tax|vat))$/;
const bases =
  /^(sub ?total|net( \w+)?|(labou?r|parts?|materials?)( costs?)?|(amount|price) (excl\w*|without|before) (tax|vat))$/;

/** So many at such a price. */
const products = [
  [/\b(quantity|qty|pieces|units|tickets)\b/, /\bprice$|\bunit cost$|\bper \w+$/],
  [/\bnights$/, /\b(price|rate)( per night)?$|\bnightly\b/],
  [/\bhours( worked| billed)?$/, /\bhourly\b|\bper hour$|\brate$/],
  [/\bdays$/, /\bdaily\b|\bper day$|\bday rate$/],
  [/\bmonths$/, /\bmonthly\b|\bper month$/],
] as const;
const results =
  /^(sub ?total|net( amount)?|(line |row |total )?(amount|price|cost)|(line |row )?total|sum|gross)$/;

/** A row, and what holds its values. */
export interface Row {
  readonly model: Model;
  readonly keys: RowKeys;
  readonly moments: Story['moments'];
  /** The variable of a value. */
  readonly speak: (field: Field) => string;
  /** What holds a moment. */
  readonly speakOf: (moment: string) => string;
}

/** What is printed and multiplied, and between what it lies. */
interface Factor {
  readonly print: () => string;
  readonly range: Range;
}

export interface Product {
  readonly count: Field;
  readonly price: Field | undefined;
  readonly factors: readonly Factor[];
  readonly result: Field | undefined;
}

const factorOf = (field: Field, { model, speak }: Row): Factor => ({
  print: () => speak(field),
  range: believable(field, model),
});

const times = (factors: readonly Factor[]): Range => [
  factors.reduce((product, { range: [least] }) => product * least, 1),
  factors.reduce((product, { range: [, most] }) => product * most, 1),
];

export function findProduct(fields: readonly Field[], row: Row): Product | undefined {
  for (const [isCount, isPrice] of products) {
    const count = fields.find((it) => isCount.test(spaced(it.column)));
    if (count === undefined) continue;
    const isFactor = (it: Field) =>
      it !== count &&
      isPrice.test(spaced(it.column)) &&
      !/^(total|line|gross|net)\b/.test(spaced(it.column));
    const price = fields.find(isFactor);
    const factor = price === undefined ? priceAbove(isFactor, row) : factorOf(price, row);
    if (factor === undefined) continue;
    const factors = [factorOf(count, row), factor];
    const isResult = (it: Field) =>
      it !== price &&
      it !== count &&
      results.test(spaced(it.column)) &&
      isWithin(it, times(factors));
    return { count, price, factors, result: fields.find(isResult) };
  }
  return undefined;
}

/** `room.price_per_night` */
function priceAbove(isPrice: (field: Field) => boolean, { keys }: Row): Factor | undefined {
  for (const { name, target } of keys.parents) {
    const price = target.fields.find((it) => isAmount(it) && isPrice(it));
    if (price === undefined) continue;
    return {
      print: () => `${keys.rowOf(name)}.${price.column}`,
      range: believable(price, target),
    };
  }
  return undefined;
}

interface Part {
  readonly field: Field;
  readonly sign: '+' | '-';
  readonly shares: readonly number[];
}

/** Net and tax are gross; without a net, so many at a price are what the rest is added to. */
export interface Sum {
  readonly whole: Field;
  readonly bases: readonly Field[];
  readonly product: Product | undefined;
  readonly parts: readonly Part[];
  readonly rate: Field | undefined;
}

export function findSum(
  fields: readonly Field[],
  product: Product | undefined,
  row: Row,
): Sum | undefined {
  const whole = fields.find((it) => wholes.test(spaced(it.column)));
  if (whole === undefined) return undefined;
  const [, noun = '-'] = /^total (\w+)$/.exec(spaced(whole.column)) ?? [];
  const isKind = new RegExp(`^(?!unit|hourly|average|max|min)\\w+ ${noun}$`);
  const others = fields.filter((it) => it !== whole && digitsOf(it) <= digitsOf(whole));
  const parts = others.flatMap((field): readonly Part[] => {
    const part = partTexts.find(([is]) => is.test(spaced(field.column)));
    return part === undefined ? [] : [{ field, sign: part[1], shares: part[2] }];
  });
  const isBase = (it: Field) =>
    (bases.test(spaced(it.column)) || isKind.test(spaced(it.column))) &&
    !parts.some(({ field }) => field === it);
  const rate = fields.find((it) => rates.test(spaced(it.column)));
  const own = others.filter(isBase);
  const sum = { whole, bases: own, product, parts, rate };
  const isKnown = own.length > 0 ? own.length + parts.length > 1 : parts.length > 0;
  if (!isKnown || (own.length === 0 && product === undefined)) return undefined;
  const [least, most] = baseRange(sum, row);
  const isRoomy = isWithin(whole, [least * 0.5, most * room]);
  return isRoomy && parts.every(({ field }) => isWithin(field, [0, most / 2])) ? sum : undefined;
}

function baseRange({ bases: own, product }: Sum, row: Row): Range {
  if (own.length === 0 && product !== undefined) return times(product.factors);
  const ranges = own.map((it) =>
    it === product?.result ? times(product.factors) : believable(it, row.model),
  );
  const total = (at: 0 | 1) => ranges.reduce((sum, range) => sum + range[at], 0);
  return [total(0), total(1)];
}

/** What is multiplied for a share of the base. */
function factorsOf({ whole, bases: own, product }: Sum, { speak }: Row): readonly string[] {
  const [first, ...more] = own.map(speak);
  if (first === undefined) return (product?.factors ?? []).map(({ print }) => print());
  if (more.length === 0) return [first];
  return [tsCall('draw.sum', String(digitsOf(whole)), `[${[first, ...more].join(', ')}]`)];
}

/** `draw.sum(2, [net, vat], [discount])` */
export function sumCall(sum: Sum, row: Row): string {
  const { whole, bases: own, parts } = sum;
  const digits = String(digitsOf(whole));
  const product = () => tsCall('draw.product', digits, ...factorsOf(sum, row));
  const named = (sign: '+' | '-') =>
    parts.filter((it) => it.sign === sign).map(({ field }) => row.speak(field));
  const added = [...(own.length > 0 ? own.map(row.speak) : [product()]), ...named('+')];
  const taken = named('-');
  const less = taken.length > 0 ? `[${taken.join(', ')}]` : undefined;
  return typed(whole, tsCall('draw.sum', digits, `[${added.join(', ')}]`, less));
}

/** `draw.product(2, net, 0.2)` */
export function partCall({ field, shares }: Part, sum: Sum, row: Row): string {
  const isRated = sum.rate !== undefined && /\b(tax|vat|gst)\b/.test(spaced(field.column));
  const share = shares.length > 1 ? `draw.oneOf([${shares.join(', ')}])` : String(shares[0]);
  const by = isRated && sum.rate ? [row.speak(sum.rate), '0.01'] : [share];
  return productCall(field, [...factorsOf(sum, row), ...by]);
}

/** `draw.product(2, quantity, unit_price)` */
export const productCall = (field: Field, factors: readonly string[]) =>
  typed(field, tsCall('draw.product', String(digitsOf(field)), ...factors));
