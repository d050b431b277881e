import type { Limits, ValueFlaw, TypedField, Json } from './field-type.ts';
import { outOfRange, wrongType } from './value-flaw.ts';

/** Common to all types of numbers. */
export const numberDefinition = {
  range: 'value',
  unique: true,
  measured: true,
  sort: 'number',
} as const;

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export const readNumber = (text: string): Json => (numberPattern.test(text) ? Number(text) : text);

/** Checks a number that is one in JavaScript. */
export function findNumberFlaw(
  value: Json,
  field: TypedField,
  limits?: Limits,
): ValueFlaw | undefined {
  if (typeof value !== 'number') return wrongType(value, 'a number');
  if (limits?.scale === 0 && !Number.isInteger(value)) return wrongType(value, 'a whole number');
  const { min = limits?.min, max = limits?.max } = field;
  if (min !== undefined && value < Number(min)) return outOfRange(value, 'less', min);
  if (max !== undefined && value > Number(max)) return outOfRange(value, 'more', max);
  return undefined;
}

/** Checks a number that travels as digits in a text. */
export function findExactNumberFlaw(
  value: Json,
  field: TypedField,
  limits: Limits,
): ValueFlaw | undefined {
  const text = String(value);
  const exact = typeof value === 'string' ? parseExactly(text) : undefined;
  if (exact === undefined) return wrongType(value, 'a number in plain digits');
  if (exact.scale > limits.scale) {
    const { scale } = limits;
    const digits = `a number with ${scale} digits after the point`;
    return wrongType(value, scale === 0 ? 'a whole number' : digits);
  }
  const { min = limits.min, max = limits.max } = field;
  if (isLess(text, String(min))) return outOfRange(text, 'less', min);
  if (isLess(String(max), text)) return outOfRange(text, 'more', max);
  return undefined;
}

export function sampleNumber({ min, max }: TypedField, sample: number): number {
  return Math.max(Number(min ?? -Infinity), Math.min(Number(max ?? Infinity), sample));
}

export function sampleExact(field: TypedField, sample: string, limits: Limits): string {
  const { scale } = limits;
  const [least, most] = unitsBetween(field, limits);
  const wanted = scaleDecimal(sample, scale) ?? 0n;
  const atLeast = wanted < least ? least : wanted;
  return formatScaled(atLeast > most ? most : atLeast, scale);
}

/** The wanted ones that are allowed, and the ten least. */
export function exampleDigits(
  field: TypedField,
  wanted: readonly string[],
  limits: Limits,
): readonly string[] {
  const { scale } = limits;
  const [least, most] = unitsBetween(field, limits);
  const next = Array.from({ length: 10 }, (_, index) => least + BigInt(index));
  return [...wanted.flatMap((text) => scaleDecimal(text, scale) ?? []), ...next]
    .filter((value) => value >= least && value <= most)
    .map((value) => formatScaled(value, scale));
}

/** Bounds in units of the last digit; by default, symmetric around zero. */
function unitsBetween({ min, max }: TypedField, limits: Limits): [bigint, bigint] {
  const units = (bound: number | string) => scaleDecimal(String(bound), limits.scale) ?? 0n;
  return [units(min ?? `-${limits.max}`), units(max ?? limits.max)];
}

const writtenNumber = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** `1.5` at scale 2 → `150n`, never by way of a float; undefined when the text is not a number. */
export function scaleDecimal(text: string, scale: number): bigint | undefined {
  const match = writtenNumber.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '') return undefined;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  const shift = scale - fraction.length + Number(exponent);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/** `150n` at scale 2 → `1.50`. */
export function formatScaled(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0');
  const sign = scaled < 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** As many as anybody writes, before the point or after it. */
const mostDecimals = 400;

const plainDigits = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?$/;

/**
 * A decimal number without loss, `digits / 10^scale`, with as few digits behind the point as can be; undefined when the
 * text is not a number in plain digits.
 */
export function parseExactly(
  text: string,
): { readonly digits: bigint; readonly scale: number } | undefined {
  const [, sign, whole, fraction = ''] = plainDigits.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const significant = fraction.replace(/0+$/, '');
  const digits = BigInt(whole + significant);
  return { digits: sign === '-' ? -digits : digits, scale: significant.length };
}

export function isLess(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => scaleDecimal(text, mostDecimals));
  return one !== undefined && other !== undefined && one < other;
}
