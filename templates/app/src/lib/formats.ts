import { isJson, scaled, wireTypes } from '../database/values.ts';
import { typeOfFormat } from './types.ts';

export const formats = Object.fromEntries(
  Object.entries(typeOfFormat).map(([format, type]) => [
    format,
    (value: string) => wireTypes[type].check(value, { type }),
  ]),
);

/** Keywords that JSON Schema does not have, for Ajv. */
export const keywords = [
  ofTexts('x-minimum', (value, least: string) => compare(value, least) >= 0),
  ofTexts('x-maximum', (value, most: string) => compare(value, most) <= 0),
  ofTexts('x-minimum-bytes', (value, least: number) => sizeOf(value) >= least),
  ofTexts('x-maximum-bytes', (value, most: number) => sizeOf(value) <= most),
  {
    keyword: 'x-storable',
    validate: (_: unknown, value: unknown) => isJson(value),
    error: {
      message:
        'must hold valid Unicode without NUL characters, and no number of 1e40 or more, or closer to 0 than 1e-40',
    },
  },
];

/** Ajv checks every keyword, even when `type` or `pattern` has failed. */
function ofTexts<Bound>(keyword: string, holds: (value: string, bound: Bound) => boolean) {
  const validate = (bound: Bound, value: unknown) =>
    typeof value !== 'string' || holds(value, bound);
  return { keyword, validate };
}

/** 0 for text that is not a number: `pattern` reports it. */
function compare(value: string, bound: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return 0;
  // At least as many digits as either has after its point.
  const scale = Math.max(value.length, bound.length);
  return Number(scaled(value, scale) - scaled(bound, scale));
}

function sizeOf(value: string): number {
  return Buffer.byteLength(value, 'base64');
}
