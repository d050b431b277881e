import type { Engine } from './engine.ts';
import { exactly, formatScaled, isLess, scaleDecimal } from './decimals.ts';
import type { FieldType, Limits, Misfit, Storage, TypedField } from './field-type.ts';
import type { Json } from './json-value.ts';
import { beyond, wrongType } from './misfit.ts';
import { printed, unlessLike } from './sql.ts';

/** What all types have in common whose values are numbers. */
export const numberFacts = {
  range: 'value',
  unique: true,
  measured: true,
  sort: 'number',
} as const;

type LimitsOf = (type: FieldType) => Limits;

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export const readNumber = (text: string): Json => (plainNumber.test(text) ? Number(text) : text);

/** Of a number that JavaScript keeps as one. */
export function numberMisfit(value: Json, field: TypedField, limits?: Limits): Misfit | undefined {
  if (typeof value !== 'number') return wrongType(value, 'a number');
  if (limits?.scale === 0 && !Number.isInteger(value)) return wrongType(value, 'a whole number');
  const { min = limits?.min, max = limits?.max } = field;
  if (min !== undefined && value < Number(min)) return beyond(value, 'less', min);
  if (max !== undefined && value > Number(max)) return beyond(value, 'more', max);
  return undefined;
}

/** Of a number that travels as digits in a text. */
export function exactMisfit(value: Json, field: TypedField, limits: Limits): Misfit | undefined {
  const text = String(value);
  const exact = typeof value === 'string' ? exactly(text) : undefined;
  if (exact === undefined) return wrongType(value, 'a number in plain digits');
  if (exact.scale > limits.scale) {
    const { scale } = limits;
    const digits = `a number with ${scale} digits after the point`;
    return wrongType(value, scale === 0 ? 'a whole number' : digits);
  }
  const { min = limits.min, max = limits.max } = field;
  if (isLess(text, String(min))) return beyond(text, 'less', min);
  if (isLess(String(max), text)) return beyond(text, 'more', max);
  return undefined;
}

export function sampleNumber({ min, max }: TypedField, sample: number): number {
  return Math.max(Number(min ?? -Infinity), Math.min(Number(max ?? Infinity), sample));
}

export function sampleExact(field: TypedField, sample: string, limitsOf: LimitsOf): string {
  const { scale } = limitsOf(field.type);
  const [least, most] = unitsBetween(field, limitsOf);
  const wanted = scaleDecimal(sample, scale) ?? 0n;
  const atLeast = wanted < least ? least : wanted;
  return formatScaled(atLeast > most ? most : atLeast, scale);
}

/** The wanted ones that are allowed, and the ten least. */
export function exampleDigits(
  field: TypedField,
  wanted: readonly string[],
  limitsOf: LimitsOf,
): readonly string[] {
  const { scale } = limitsOf(field.type);
  const [least, most] = unitsBetween(field, limitsOf);
  const next = Array.from({ length: 10 }, (_, index) => least + BigInt(index));
  return [...wanted.flatMap((text) => scaleDecimal(text, scale) ?? []), ...next]
    .filter((value) => value >= least && value <= most)
    .map((value) => formatScaled(value, scale));
}

/** Bounds in units of the last digit: without any, as far below zero as above. */
function unitsBetween({ type, min, max }: TypedField, limitsOf: LimitsOf): [bigint, bigint] {
  const limits = limitsOf(type);
  const units = (bound: number | string) => scaleDecimal(String(bound), limits.scale) ?? 0n;
  return [units(min ?? `-${limits.max}`), units(max ?? limits.max)];
}

/** Zero has no sign. */
const integer = '(0|-?[1-9][0-9]*)';

/** What all types have in common whose values are whole numbers. */
export const integerStorage = {
  sqlite: {
    column: () => 'integer',
    literal: String,
    from: {
      text: () => ({
        value: (it) => `CAST(${it} AS integer)`,
        fails: (it) => `${it} <> CAST(CAST(${it} AS integer) AS text)`,
      }),
    },
    to: { text: () => ({ value: (it) => `CAST(${it} AS text)` }) },
  },
  postgres: {
    column: () => 'bigint',
    literal: String,
    from: {
      text: ({ after }) => ({
        value: (it) => `${it}::${after.kind === 'int' ? 'integer' : 'bigint'}`,
        fails: unlessLike(integer, (it) =>
          isOutside(`${it}::numeric`, after.kind === 'int' ? 31 : 63),
        ),
      }),
    },
    to: { text: printed },
  },
} satisfies Readonly<Record<Engine, Storage>>;

function isOutside(number: string, bits: number): string {
  const limit = 2n ** BigInt(bits);
  return `${number} NOT BETWEEN -${limit} AND ${limit - 1n}`;
}
