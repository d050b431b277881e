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
export function productOf(field: Field, factors: readonly Figure[]): Figure {
  const ends = ([0, 1] as const).map((at) => factors.reduce((all, it) => all * it.range[at], 1));
  return {
    text: tsCall('draw.product', String(digitsOf(field)), ...factors.map(({ text }) => text)),
    range: [ends[0] ?? 0, ends[1] ?? 0],
  };
}

/** `draw.sum(2, [net, vat], [discount])` */
export function sumOf(
  field: Field,
  terms: readonly Figure[],
  less: readonly Figure[] = [],
): Figure {
  const list = (all: readonly Figure[]) => `[${all.map(({ text }) => text).join(', ')}]`;
  const ends = ([0, 1] as const).map((at) => terms.reduce((all, it) => all + it.range[at], 0));
  return {
    text: tsCall(
      'draw.sum',
      String(digitsOf(field)),
      list(terms),
      less.length > 0 ? list(less) : undefined,
    ),
    range: [ends[0] ?? 0, ends[1] ?? 0],
  };
}

/** Of which nobody asks how large it is. */
export const constant = (text: string, range: Range = [1, 1]): Figure => ({ text, range });
