import type { App, Field, Json, Model } from '../../../model/app.ts';
import { valuesOf } from '../../../model/enum-of.ts';
import { fits, patternParts, texts } from '../../../patterns/samples.ts';
import { fieldTypes } from '../../../types/all.ts';
import { type Lengths, lengthsOf } from '../../../types/texts.ts';
import { sampleKind } from '../../../model/sample-kind.ts';
import { sampleValue } from '../../../model/sample-value.ts';
import { exampleTexts } from './example-texts.ts';

/** Different legal values of a field as they travel, the most believable first; ten at most, at least one. */
export function exampleValues(model: Model, field: Field, app: App): readonly Json[] {
  const said = field.example === undefined ? [] : [field.example];
  const drawn = [...said, ...drawValues(model, field, app)];
  const distinct = [...new Map(drawn.map((value) => [JSON.stringify(value), value])).values()];
  const values = distinct.length === 0 ? [sampleValue(field, app)] : distinct.slice(0, 10);
  const preset = field.default?.kind === 'literal' ? JSON.stringify(field.default.value) : '';
  // What is there without being sent proves nothing when it is sent.
  return values.toSorted((a, b) => rank(a, preset) - rank(b, preset));
}

const rank = (value: Json, preset: string) => (JSON.stringify(value) === preset ? 1 : 0);

function drawValues(model: Model, field: Field, app: App): readonly Json[] {
  const { type } = field;
  if (type.kind === 'enum') return valuesOf(field, app).map(({ value }) => value);
  return fieldTypes[type.kind].examples?.(field) ?? textsOf(model, field);
}

function textsOf(model: Model, field: Field): readonly string[] {
  const { pattern } = field;
  const some = exampleTexts[sampleKind(model, field)];
  if (pattern !== undefined) return matching(pattern, lengthsOf(field), some);
  const [first = ''] = some;
  const numbered = Array.from({ length: 10 }, (_, index) => `${index} ${first}`);
  return [...some, ...numbered].map((text) => fitted(field, text));
}

function matching(pattern: string, lengths: Lengths, some: readonly string[]): readonly string[] {
  const drawn = texts(patternParts(pattern, lengths) ?? [], 100);
  return [...some, ...drawn].filter(fits(pattern, lengths));
}

/** Repeated or cut to the length. */
function fitted(field: Field, text: string): string {
  const { min = 0, max = Infinity } = lengthsOf(field);
  return text.padEnd(min, ` ${text}`).slice(0, max);
}
