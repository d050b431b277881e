import type { App, Field, Json, Model } from '../../../model/app.ts';
import { formatScaled, scaleDecimal } from '../../../model/decimal.ts';
import { valuesOf } from '../../../model/enum-of.ts';
import { fits, patternParts, texts } from '../../../model/pattern-parts.ts';
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
  switch (type.kind) {
    case 'enum':
      return valuesOf(field, app).map(({ value }) => value);
    case 'string':
    case 'text':
      return textsOf(model, field);
    case 'email':
      return people.map((name) => fitted(field, `${name}@example.test`, name)).filter(isEmail);
    case 'url':
      return urlsOf(field);
    case 'float':
      return floatsOf(field);
    case 'int':
      return scaledOf(field, ['7', '42', '19'], 0).map(Number);
    case 'bigint':
      return scaledOf(field, ['9007199254740993', '42', '7'], 0);
    case 'decimal':
      return scaledOf(field, ['4.50', '12.25', '0.75'], type.scale);
    case 'bytes':
      return bytesOf(field);
    case 'json':
      return [{ colour: 'blue', sizes: [1, 2] }, { colour: 'green' }];
    case 'id':
      return [1];
    default:
      return fixed[type.kind];
  }
}

const days = ['02', '05', '08', '11', '14', '17', '20', '23', '26', '29'];

const fixed = {
  bool: [true, false],
  date: days.map((day) => `2024-01-${day}`),
  time: days.map((minute) => `09:${minute}:00.000`),
  datetime: days.map((day) => `2024-01-${day}T09:30:00.000Z`),
  uuid: days.map((part) => `018f4e6a-7b8c-7d9e-8f00-1122334455${part}`),
} as const;

const people = ['ann', 'ben', 'eve', 'joe', 'kim', 'lee', 'may', 'pat', 'ray', 'sue'];
const isEmail = (text: string) => /^[a-z]+@[a-z]+\.[a-z]+$/.test(text);

function textsOf(model: Model, field: Field): readonly string[] {
  const { pattern } = field;
  const some = exampleTexts[sampleKind(model, field)];
  if (pattern !== undefined) return matching(pattern, lengthsOf(field), some);
  const [first = ''] = some;
  const numbered = Array.from({ length: 10 }, (_, index) => `${index} ${first}`);
  return [...some, ...numbered].map((text) => fitted(field, text, text));
}

function matching(pattern: string, lengths: Lengths, some: readonly string[]): readonly string[] {
  const drawn = texts(patternParts(pattern, lengths) ?? [], 100);
  return [...some, ...drawn].filter(fits(pattern, lengths));
}

/** Repeated or cut to the length. */
function fitted(field: Field, text: string, filling: string): string {
  const { min = 0, max = Infinity } = lengthsOf(field);
  if (field.type.kind === 'email') return text.padStart(min, filling).slice(-max);
  return text.padEnd(min, ` ${filling}`).slice(0, max);
}

function urlsOf(field: Field): readonly string[] {
  const { min = 0, max = Infinity } = lengthsOf(field);
  const short = [...'abcdefghij'].map((letter) => `http://${letter}.b`.slice(0, max));
  const long = exampleTexts.url.map((url) => url.padEnd(min, 'x'));
  return [...long, ...short].filter((url) => url.length >= min && url.length <= max);
}

function floatsOf({ min, max }: Field): readonly number[] {
  const least = Number(min ?? -1e6);
  const most = Number(max ?? 1e6);
  return [1.5, 0.25, 12, least, most, (least + most) / 2]
    .filter((value) => value >= least && value <= most)
    .map((value) => value || 0);
}

function scaledOf(field: Field, wanted: readonly string[], scale: number): readonly string[] {
  const [least, most] = scaledBounds(field, scale);
  const next = Array.from({ length: 10 }, (_, index) => least + BigInt(index));
  return [...wanted.flatMap((text) => scaleDecimal(text, scale) ?? []), ...next]
    .filter((value) => value >= least && value <= most)
    .map((value) => formatScaled(value, scale));
}

function scaledBounds({ type, min, max }: Field, scale: number): readonly [bigint, bigint] {
  const widest = {
    int: 2n ** 31n - 1n,
    decimal: type.kind === 'decimal' ? 10n ** BigInt(type.precision) - 1n : 0n,
    other: 2n ** 63n - 1n,
  };
  const limit = widest[type.kind === 'int' || type.kind === 'decimal' ? type.kind : 'other'];
  const bound = (value: number | string | undefined) =>
    value === undefined ? undefined : scaleDecimal(String(value), scale);
  return [bound(min) ?? -limit, bound(max) ?? limit];
}

function bytesOf(field: Field): readonly string[] {
  const { min = 0, max = Infinity } = lengthsOf(field);
  return ['snow', 'harbour', 'fox'].map((word) => {
    const bytes = Buffer.from(word.padEnd(min, '.').slice(0, max));
    return bytes.toString('base64');
  });
}

interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

function lengthsOf({ min, max }: Field): Lengths {
  return {
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
  };
}
