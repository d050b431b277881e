import { spaced } from '../../../naming/name.ts';
import type { Field } from '../../../model/app.ts';
import { tsCall } from '../../typescript.ts';
import { aboveCall } from './amounts.ts';
import { agesOf, isBirth, isDistinct, isNumber, isWithin } from './numbers.ts';
import { isSpan, type Moment } from './spans.ts';
import {
  partCall,
  type Product,
  productCall,
  findProduct,
  type Row,
  type Sum,
  sumCall,
  findSum,
} from './sums.ts';

/** What says how long something lasts. */
const spans = [
  [/^(nights|days|duration nights)$|\b(duration|length|stay)\b.*\bdays$/, 'days'],
  [/^hours( worked)?$|\b(duration|length)\b.*\bhours$/, 'hours'],
  [/^(minutes|duration)$|\b(duration|length)\b.*\b(minutes|mins)$/, 'minutes'],
] as const;

/**
 * What a value is by the rest of its row and the rows above, of which `isMaybe` prints null itself; undefined for one
 * that is drawn by itself.
 */
export function followsOf(row: Row) {
  const fields = row.model.fields.filter((it) => isNumber(it) && !isDistinct(it, row.model));
  const product = findProduct(fields, row);
  const sum = findSum(fields, product, row);
  return (field: Field) => {
    if (!fields.includes(field)) return undefined;
    const ofSum = addedCall(field, sum, row) ?? multipliedCall(field, product);
    const span = ofSum === undefined ? spanOf(field, row) : undefined;
    if (span !== undefined)
      return { call: spanCall(field, span, row), isMaybe: span.to.isOptional };
    const call =
      ofSum ??
      ageCall(field, row) ??
      percentCall(field, fields, row) ??
      aboveCall(field, { sum, product, row });
    return call === undefined ? undefined : { call, isMaybe: false };
  };
}

function addedCall(field: Field, sum: Sum | undefined, row: Row): string | undefined {
  if (sum === undefined) return undefined;
  const part = sum.parts.find((it) => it.field === field);
  if (field === sum.whole) return sumCall(sum, row);
  return part && partCall(part, sum, row);
}

function multipliedCall(field: Field, product: Product | undefined): string | undefined {
  if (product === undefined || field !== product.result) return undefined;
  const factors = product.factors.map(({ print }) => print());
  return productCall(field, factors);
}

interface Span {
  readonly from: Moment;
  readonly to: Moment;
  readonly unit: (typeof spans)[number][1];
}

/** Between which moments lies what a field counts. */
function spanOf(field: Field, { moments }: Row): Span | undefined {
  const unit = spans.find(([is]) => is.test(spaced(field.column)))?.[1];
  if (unit === undefined || field.type.kind === 'bigint') return undefined;
  for (const [at, from] of moments.entries()) {
    const to = moments.slice(at + 1).find((it) => isSpan(from, it));
    if (to === undefined || from.isOptional || (to.isOptional && !field.nullable)) continue;
    const isHours = to.gap === 'hours' && to === moments[at + 1];
    const most = unit === 'days' ? 252 : unit === 'hours' ? 2 : 120;
    if ((unit !== 'days' && !isHours) || !isWithin(field, [0, most])) continue;
    return { from, to, unit };
  }
  return undefined;
}

/** `draw.between(moments.starts_at, moments.ends_at, 'minutes')` */
function spanCall(field: Field, { from, to, unit }: Span, { speakOf }: Row): string {
  const [start, end] = [speakOf(from.name), speakOf(to.name)];
  const length = tsCall('draw.between', start, to.isOptional ? 'end' : end, `'${unit}'`);
  const text = field.type.kind === 'decimal' ? productCall(field, [length]) : length;
  return to.isOptional ? tsCall('draw.once', end, `(end) => ${text}`) : text;
}

/** `draw.age(date_of_birth)` */
function ageCall(field: Field, { model, speak }: Row): string | undefined {
  const birth = model.fields.find((it) => isBirth(it) && !it.nullable);
  if (spaced(field.column) !== 'age' || birth === undefined || field.type.kind !== 'int')
    return undefined;
  if (!isWithin(field, agesOf(model.names.human))) return undefined;
  return tsCall('draw.age', speak(birth));
}

/** `draw.product(1, points, 100 / max_points)` */
function percentCall(field: Field, fields: readonly Field[], { speak }: Row): string | undefined {
  const [points, most] = [
    /^(points|marks|score)$/,
    /^(max(imum)?|possible) (points|marks|score)$/,
  ].map((is) =>
    fields.find((it) => is.test(spaced(it.column)) && it.type.kind === 'int' && !it.nullable),
  );
  const isPercent = /^(percent(age)?|pct)$/.test(spaced(field.column)) && isWithin(field, [0, 100]);
  if (!isPercent || points === undefined || most === undefined) return undefined;
  return productCall(field, [speak(points), `100 / ${speak(most)}`]);
}
