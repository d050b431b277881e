import { spaced } from '../../../naming/name.ts';
import type { Field, Model } from '../../../model/app.ts';
import { tsCall } from '../../typescript.ts';
import { variableOf } from './key.ts';
import type { DrawnKey } from './keys.ts';
import { believable, digitsOf, type Range, typed } from './numbers.ts';
import type { Moment } from './moments.ts';

/** A row, of whose numbers some follow from others. */
export interface Row {
  readonly model: Model;
  readonly keys: readonly DrawnKey[];
  /** In their order. */
  readonly moments: readonly Moment[];
}

/** A printed number, and between what it lies. */
export interface Figure {
  readonly text: string;
  readonly range: Range;
}

/** What a field holds by others of its row; null is printed already where it `isMaybe`. */
export interface Following extends Figure {
  readonly field: Field;
  readonly isMaybe?: boolean;
}

export const followingOf = (field: Field, { text, range }: Figure): Following => ({
  field,
  text: typed(field, text),
  range,
});

export const findCalled = (fields: readonly Field[], is: RegExp) =>
  fields.find(({ column }) => is.test(spaced(column)));

/** The variable of a value. */
export const figureOf = (field: Field, { model }: Row): Figure => ({
  text: variableOf(field.column, model),
  range: believable(field, model),
});

/** `draw.product(2, quantity, unitPrice)` */
export const productOf = (field: Field, factors: readonly Figure[]): Figure => ({
  text: tsCall('draw.product', String(digitsOf(field)), listed(factors)),
  range: rangeOfAll(factors, (product, factor) => product * factor),
});

/** `draw.sum(2, [net, vat], [discount])` */
export function sumOf(field: Field, terms: readonly Figure[], less: readonly Figure[]): Figure {
  const taken = less.length === 0 ? undefined : `[${listed(less)}]`;
  return {
    text: tsCall('draw.sum', String(digitsOf(field)), `[${listed(terms)}]`, taken),
    range: rangeOfAll(terms, (sum, term) => sum + term),
  };
}

const listed = (figures: readonly Figure[]) => figures.map(({ text }) => text).join(', ');

function rangeOfAll(
  figures: readonly Figure[],
  join: (one: number, other: number) => number,
): Range {
  const [least = 0, most = 0] = [0, 1].map((at) =>
    figures.map(({ range }) => range[at] ?? 0).reduce(join),
  );
  return [least, most];
}

/** Of which nobody asks how large it is. */
export const constant = (text: string, range: Range = [1, 1]): Figure => ({ text, range });
