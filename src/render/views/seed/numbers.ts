import type { Field } from '../../../model/app.ts';
import { lowerWords } from '../../../naming/name.ts';
import { fieldTypes } from '../../../types/all.ts';
import { formatScaled, scaleDecimal } from '../../../types/decimals.ts';
import { scaleOf } from '../../../types/field-type.ts';
import { tsCall, tsString } from '../../typescript.ts';

/** What a number is about, by its name: the least and the greatest that is believable. */
const usual: readonly (readonly [RegExp, number, number])[] = [
  [/\bage\b/, 18, 80],
  [/\byear\b/, 1990, 2026],
  [/\b(quantity|qty|pieces|copies)\b/, 1, 10],
  [/\b(price|cost|fee|amount|total|budget|balance|revenue|value)\b/, 5, 500],
  [/\b(salary|wage|income)\b/, 2000, 6000],
  [/\b(rating|stars|score|grade|level)\b/, 1, 5],
  [/\b(percent|percentage|discount|progress)\b/, 0, 100],
  [/\b(share|ratio|factor|probability)\b/, 0, 1],
  [/\b(position|sort|order|rank|index|priority|floor)\b/, 0, 20],
  [/\b(seats|capacity|participants|people|guests|persons)\b/, 4, 60],
  [/\b(stock|inventory)\b/, 0, 200],
  [/\b(duration|minutes)\b/, 15, 180],
  [/\b(hours|days|weeks|months)\b/, 1, 12],
  [/\b(lat|latitude)\b/, -90, 90],
  [/\b(lng|lon|longitude)\b/, -180, 180],
  [/\b(weight|kilos|kg)\b/, 1, 50],
];

type Range = readonly [least: bigint, most: bigint];

export function wholeOf(field: Field, unique: boolean): string {
  const range = believable(field, unique);
  if (range.every(isSafe)) {
    const drawn = tsCall('faker.number.int', `{ min: ${range[0]}, max: ${range[1]} }`);
    return fieldTypes[field.type.kind].exact ? tsCall('String', drawn) : drawn;
  }
  return tsCall('String', `faker.number.bigInt({ min: ${range[0]}n, max: ${range[1]}n })`);
}

export function floatOf(field: Field, unique: boolean): string {
  const [low, high] = usualRange(field.name);
  const { min = -Infinity, max = Infinity } = bounds(field);
  const span = high - low;
  const least = Math.max(min, Math.min(low, max - span));
  const most = Math.min(max, Math.max(high, min + span));
  const digits = unique || most - least < 1 ? '' : ', fractionDigits: 2';
  return tsCall('faker.number.float', `{ min: ${least}, max: ${most}${digits} }`);
}

export function decimalOf(field: Field, unique: boolean): string {
  const scale = scaleOf(field.type);
  const [least, most] = believable(field, unique);
  const isExact = [least, most].every(isSafe) && scale <= 6;
  if (scale === 0) {
    const end = isExact ? '' : 'n';
    const draw = isExact ? 'faker.number.int' : 'faker.number.bigInt';
    return tsCall('String', tsCall(draw, `{ min: ${least}${end}, max: ${most}${end} }`));
  }
  if (isExact) {
    const [min, max] = [least, most].map((bound) => Number(formatScaled(bound, scale)));
    const range = `{ min: ${min}, max: ${max}, fractionDigits: ${scale} }`;
    return `${tsCall('faker.number.float', range)}.toFixed(${scale})`;
  }
  const isFraction = least <= 0n && most >= 10n ** BigInt(scale) - 1n;
  if (isFraction)
    return tsCall('draw.joined', "'0.'", tsCall('faker.string.numeric', String(scale)));
  return tsString(formatScaled(least, scale));
}

/** In units of the last decimal. What is unique gets a wide range. */
function believable(field: Field, unique: boolean): Range {
  const limits = fieldTypes[field.type.kind].limits?.(field.type);
  const units = (bound: number | string = 0) =>
    scaleDecimal(String(bound), scaleOf(field.type)) ?? 0n;
  const min = units(field.min ?? limits?.min);
  const max = units(field.max ?? limits?.max);
  const [low, high] = unique ? [1, 1e9] : usualRange(field.name);
  const span = units(high) - units(low);
  return [
    larger(min, smaller(units(low), max - span)),
    smaller(max, larger(units(high), min + span)),
  ];
}

function usualRange(name: string): readonly [number, number] {
  const words = lowerWords(name);
  const [, least, most] = usual.find(([pattern]) => pattern.test(words)) ?? [/./, 0, 1000];
  return [least, most];
}

function bounds({ min, max }: Field) {
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  };
}

const larger = (left: bigint, right: bigint) => (left > right ? left : right);
const smaller = (left: bigint, right: bigint) => (left < right ? left : right);
const isSafe = (bound: bigint) => Number.isSafeInteger(Number(bound));
