import { spacedWords } from '../../../naming/name.ts';
import type { Field, Model } from '../../../model/app.ts';
import { tsCall } from '../../typescript.ts';
import { chooseVariable } from './key.ts';
import type { DrawnKey } from './keys.ts';
import { believableRange, digitsOf, type Range, asColumnValue } from './numbers.ts';
import type { Moment } from './moments.ts';

/** A row whose numbers may depend on each other. */
export interface Row {
  readonly model: Model;
  readonly keys: readonly DrawnKey[];
  /** In order. */
  readonly moments: readonly Moment[];
}

export interface NumberCode {
  readonly text: string;
  readonly range: Range;
}

/** A field that is derived from others of the row. If `isMaybe`, the code handles null already. */
export interface DerivedField extends NumberCode {
  readonly field: Field;
  readonly isMaybe?: boolean;
}

export const derivedField = (field: Field, { text, range }: NumberCode): DerivedField => ({
  field,
  text: asColumnValue(field, text),
  range,
});

export const findCalled = (fields: readonly Field[], is: RegExp) =>
  fields.find(({ column }) => is.test(spacedWords(column)));

export const printNumber = (field: Field, { model }: Row): NumberCode => ({
  text: chooseVariable(field.column, model),
  range: believableRange(field, model),
});

/** `draw.product(2, quantity, unitPrice)` */
export const printProduct = (field: Field, factors: readonly NumberCode[]): NumberCode => ({
  text: tsCall('draw.product', String(digitsOf(field)), joinFigures(factors)),
  range: rangeOfAll(factors, (product, factor) => product * factor),
});

/** `draw.sum(2, [net, vat], [discount])` */
export function printSum(
  field: Field,
  terms: readonly NumberCode[],
  less: readonly NumberCode[],
): NumberCode {
  const taken = less.length === 0 ? undefined : `[${joinFigures(less)}]`;
  return {
    text: tsCall('draw.sum', String(digitsOf(field)), `[${joinFigures(terms)}]`, taken),
    range: rangeOfAll(terms, (sum, term) => sum + term),
  };
}

const joinFigures = (figures: readonly NumberCode[]) => figures.map(({ text }) => text).join(', ');

function rangeOfAll(
  figures: readonly NumberCode[],
  join: (one: number, other: number) => number,
): Range {
  const [least = 0, most = 0] = [0, 1].map((at) =>
    figures.map(({ range }) => range[at] ?? 0).reduce(join),
  );
  return [least, most];
}

/** A number whose size does not matter. */
export const constant = (text: string, range: Range = [1, 1]): NumberCode => ({ text, range });
