import { spacedWords } from '../../../naming/name.ts';
import type { Field } from '../../../model/app.ts';
import { tsCall } from '../../typescript.ts';
import { findAbove } from './amounts.ts';
import { chooseVariable } from './key.ts';
import { momentVariable } from './events.ts';
import { isSpan } from './moments.ts';
import { chooseAges, isBirth, isDistinct, isNumber, isWithin } from './numbers.ts';
import {
  constant,
  printNumber,
  findCalled,
  derivedField,
  type DerivedField,
  printProduct,
  type Row,
} from './row.ts';
import { findProduct, findSum } from './sums.ts';

/** Names of durations, with their units and ranges. */
const spans = [
  [/^(nights|days|duration nights)$|\b(duration|length|stay)\b.*\bdays$/, 'days', 252],
  [/^hours( worked)?$|\b(duration|length)\b.*\bhours$/, 'hours', 2],
  [/^(minutes|duration)$|\b(duration|length)\b.*\b(minutes|mins)$/, 'minutes', 120],
] as const;

/** Derives a value from others of its row and of rows above; undefined if it is drawn on its own. */
export function deriveFields(row: Row) {
  const { model } = row;
  const fields = model.fields.filter((it) => isNumber(it) && !isDistinct(it, model));
  const product = findProduct(fields, row);
  const sum = findSum(fields, product, row);
  const following: readonly DerivedField[] = [
    ...(sum?.following ?? []),
    ...(product?.result === undefined ? [] : [product.result]),
    ...fields.flatMap((field) => deriveDuration(field, row)),
    ...ages(fields, row),
    ...percentages(fields, row),
  ].filter(({ field, range }) => isWithin(field, range));
  return (field: Field) =>
    following.find((it) => it.field === field) ??
    (fields.includes(field) ? findAbove(field, { bases: sum?.bases, product, row }) : undefined);
}

/** A duration between two times of the row: `draw.between(moments.starts_at, moments.ends_at, 'minutes')`. */
function deriveDuration(field: Field, { moments }: Row): readonly DerivedField[] {
  const [, unit, most] = spans.find(([is]) => is.test(spacedWords(field.column))) ?? [];
  if (unit === undefined || field.type.kind === 'bigint') return [];
  for (const [at, from] of moments.entries()) {
    const to = moments.slice(at + 1).find((it) => isSpan(from, it));
    if (to === undefined || from.field.nullable || (to.field.nullable && !field.nullable)) continue;
    if (unit !== 'days' && (to.gap !== 'hours' || to !== moments[at + 1])) continue;
    const [start, end] = [momentVariable(from), momentVariable(to)];
    const length = constant(
      tsCall('draw.between', start, to.field.nullable ? 'end' : end, `'${unit}'`),
    );
    const { text } = field.type.kind === 'decimal' ? printProduct(field, [length]) : length;
    const call = to.field.nullable ? tsCall('draw.once', end, `(end) => ${text}`) : text;
    return [{ field, text: call, range: [0, most], isMaybe: to.field.nullable }];
  }
  return [];
}

/** `draw.age(dateOfBirth)` */
function ages(fields: readonly Field[], { model }: Row): readonly DerivedField[] {
  const birth = model.fields.find((it) => isBirth(it) && !it.nullable);
  const field = findCalled(fields, /^age$/);
  if (field?.type.kind !== 'int' || birth === undefined) return [];
  const text = tsCall('draw.age', chooseVariable(birth.column, model));
  return [{ field, text, range: chooseAges(model.names.human) }];
}

/** `draw.product(1, points, 100 / maxPoints)` */
function percentages(fields: readonly Field[], row: Row): readonly DerivedField[] {
  const field = findCalled(fields, /^(percent(age)?|pct)$/);
  const counted = fields.filter((it) => it.type.kind === 'int' && !it.nullable);
  const points = findCalled(counted, /^(points|marks|score)$/);
  const most = findCalled(counted, /^(max(imum)?|possible) (points|marks|score)$/);
  if (field === undefined || points === undefined || most === undefined) return [];
  const hundredth = constant(`100 / ${printNumber(most, row).text}`);
  const { text } = printProduct(field, [printNumber(points, row), hundredth]);
  return [derivedField(field, constant(text, [0, 100]))];
}
