import type { App, Field, Model } from '../../../model/app.ts';
import { listEnumValues } from '../../../model/lookups.ts';
import { makeSampleValue } from '../../../model/sample-value.ts';
import { findDefaultValue } from '../../../model/writing.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import { fits, matchingTexts } from '../../../patterns/samples.ts';
import { rememberPer } from '../../../remember.ts';
import { fieldTypes } from '../../../types/all.ts';
import { pickLengths } from '../../../types/texts.ts';
import { exampleTexts } from './example-texts.ts';
import { isChecked, valuesInOrder } from './values-in-order.ts';
import type { Json } from '../../../types/field-type.ts';

/** Values of a row, by the names of fields. */
export type Values = Readonly<Record<string, Json>>;

/** Up to ten different valid values in the form of the API, the most believable first. */
export const exampleValues = (model: Model, field: Field, app: App): readonly Json[] =>
  valuesOfFields(model, app)(field);

/** Remembered, because access tables need them hundreds of times. */
const valuesOfFields = rememberPerModel((model, app) => {
  const own = (field: Field) => ownValues(model, field, app);
  return rememberPer((field: Field) =>
    isChecked(field, model) ? valuesInOrder(field, model, own) : own(field),
  );
});

function ownValues(model: Model, field: Field, app: App): readonly Json[] {
  const given = field.example === undefined ? [] : [field.example];
  const drawn = [...given, ...drawValues(model, field, app)];
  const distinct = [...new Map(drawn.map((value) => [JSON.stringify(value), value])).values()];
  const values = distinct.length === 0 ? [makeSampleValue(field, app)] : distinct.slice(0, 10);
  const preset = JSON.stringify(findDefaultValue(field));
  // To send the default value would prove nothing, so it comes last.
  return values.toSorted((a, b) => rankValue(a, preset) - rankValue(b, preset));
}

const rankValue = (value: Json, preset: string) => (JSON.stringify(value) === preset ? 1 : 0);

function drawValues(model: Model, field: Field, app: App): readonly Json[] {
  const { type } = field;
  if (type.kind === 'enum') return listEnumValues(field, app).map(({ value }) => value);
  return fieldTypes[type.kind].examples?.(field) ?? listTexts(model, field);
}

function listTexts(model: Model, field: Field): readonly string[] {
  const { pattern } = field;
  const some = exampleTexts(model, field);
  if (pattern !== undefined) {
    const lengths = pickLengths(field);
    return [...some.filter(fits(pattern, lengths)), ...matchingTexts(pattern, lengths)];
  }
  const [first = ''] = some;
  const numbered = Array.from({ length: 10 }, (_, index) => `${index} ${first}`);
  return [...some, ...numbered].map((text) => fitted(field, text));
}

/** Repeats or cuts a text to fit. */
function fitted(field: Field, text: string): string {
  const { min = 0, max = Infinity } = pickLengths(field);
  return text.padEnd(min, ` ${text}`).slice(0, max);
}
