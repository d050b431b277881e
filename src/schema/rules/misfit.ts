import { matchesPattern } from '../pattern-flaw.ts';
import type { FieldSchema, Json } from '../schema.ts';
import { charactersIn } from '../source.ts';
import { suggest } from '../suggest.ts';
import { exactly, isLess } from './numbers.ts';
import { holdsOf, type ScalarFacts } from '../scalars.ts';

/** Why a value cannot be one of a field's. */
export interface Misfit {
  readonly kind: 'type' | 'value';
  readonly reason: string;
  readonly help?: string;
}

/** Undefined when the value fits, or when the field is too broken to tell. */
export function misfitOf(
  value: Json,
  field: FieldSchema,
  { type, values }: { readonly type: ScalarFacts; readonly values: readonly string[] | undefined },
): Misfit | undefined {
  if (value === null) {
    const help = 'leave it out: an optional field is null by itself';
    return { kind: 'type', reason: 'null is no value', help };
  }
  if (values !== undefined) return misfitOfEnum(value, field, values);
  return checks[field.type.value]?.(value, field, type);
}

type Check = (value: Json, field: FieldSchema, type: ScalarFacts) => Misfit | undefined;

const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?`;
const timeOfDay = new RegExp(`^${clock}$`);
const moment = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)(?:[T ]${clock}(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?)?$`,
);
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const webAddress = /^https?:\/\/[^\s]+$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const checks: Readonly<Record<string, Check>> = {
  string: textFits,
  text: textFits,
  email: formed(address, 'an email address, like `ann@example.test`'),
  url: formed(webAddress, 'a web address, like `https://example.test/`'),
  int: numberFits,
  float: numberFits,
  bigint: exactFits,
  decimal: exactFits,
  bool: (value) =>
    typeof value === 'boolean'
      ? undefined
      : { ...wrongType(value, '`true` or `false`'), help: 'write `true` or `false`' },
  date: (value) => (isDate(value) ? undefined : wrongType(value, 'a date, like `2026-01-31`')),
  time: formed(timeOfDay, 'a time of day, like `09:30` or `09:30:00`'),
  datetime: (value) =>
    isMoment(value) ? undefined : wrongType(value, 'a moment, like `2026-01-31T09:30:00Z`'),
  uuid: formed(uuid, 'a uuid, like `018f4e6a-7b8c-7d9e-8f00-112233445566`'),
  bytes: (value, field) =>
    formed(base64, 'base64, like `aGVsbG8=`')(value, field, {}) ??
    lengthFits(bytesOf(value), field),
};

function misfitOfEnum(
  value: Json,
  { type }: FieldSchema,
  values: readonly string[],
): Misfit | undefined {
  if (typeof value !== 'string') return wrongType(value, `a value of ${type.value}, as a text`);
  if (values.includes(value)) return undefined;
  return {
    kind: 'value',
    reason: `\`${value}\` is not a value of ${type.value}`,
    help: suggest(value, values),
  };
}

function formed(form: RegExp, expected: string): Check {
  return (value, field) => {
    if (typeof value !== 'string' || !form.test(value)) return wrongType(value, expected);
    return field.type.value === 'bytes' ? undefined : lengthFits(charactersIn(value), field);
  };
}

function textFits(value: Json, field: FieldSchema): Misfit | undefined {
  if (typeof value !== 'string') return wrongType(value, 'a text');
  const tooLong = lengthFits(charactersIn(value), field);
  if (tooLong !== undefined || field.pattern === undefined) return tooLong;
  if (matchesPattern(field.pattern.value, value)) return undefined;
  return { kind: 'value', reason: `${shown(value)} does not match ${shown(field.pattern.value)}` };
}

function lengthFits(length: number, { min, max, type }: FieldSchema): Misfit | undefined {
  const unit = type.value === 'bytes' ? 'bytes' : 'characters';
  if (min !== undefined && length < Number(min.value)) {
    return { kind: 'value', reason: `${length} ${unit} are fewer than ${min.value}` };
  }
  if (max !== undefined && length > Number(max.value)) {
    return { kind: 'value', reason: `${length} ${unit} are more than ${max.value}` };
  }
  return undefined;
}

function numberFits(value: Json, field: FieldSchema, type: ScalarFacts): Misfit | undefined {
  if (typeof value !== 'number') return wrongType(value, 'a number');
  if (field.type.value === 'int' && !Number.isInteger(value))
    return wrongType(value, 'a whole number');
  const { min, max } = boundsOf(field, type);
  if (min !== undefined && value < Number(min)) return beyond(value, 'less', min);
  if (max !== undefined && value > Number(max)) return beyond(value, 'more', max);
  return undefined;
}

function exactFits(value: Json, field: FieldSchema, type: ScalarFacts): Misfit | undefined {
  const text = String(value);
  const exact = typeof value === 'string' ? exactly(text) : undefined;
  if (exact === undefined) return wrongType(value, 'a number in plain digits');
  const holds = holdsOf(field, type);
  if (holds !== undefined && exact.scale > holds.scale) {
    const expected =
      holds.scale === 0 ? 'a whole number' : `a number with ${holds.scale} digits after the point`;
    return wrongType(value, expected);
  }
  const { min, max } = boundsOf(field, type);
  if (min !== undefined && isLess(text, min)) return beyond(text, 'less', min);
  if (max !== undefined && isLess(max, text)) return beyond(text, 'more', max);
  return undefined;
}

function boundsOf(field: FieldSchema, type: ScalarFacts) {
  const holds = holdsOf(field, type);
  return { min: field.min?.value ?? holds?.min, max: field.max?.value ?? holds?.max };
}

function beyond(value: string | number, how: 'less' | 'more', bound: string): Misfit {
  return { kind: 'value', reason: `\`${value}\` is ${how} than ${bound}` };
}

function wrongType(value: Json, expected: string): Misfit {
  const isPlain = typeof value !== 'object';
  const help = expected === 'a text' && isPlain ? 'put it in quotes' : undefined;
  return {
    kind: 'type',
    reason: `${shown(value)} is not ${expected}`,
    ...(help === undefined ? {} : { help }),
  };
}

function shown(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = String(value);
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
}

function isDate(value: Json): boolean {
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isMoment(value: Json): boolean {
  const day = typeof value === 'string' ? moment.exec(value)?.[1] : undefined;
  return day !== undefined && isDate(day);
}

function bytesOf(value: Json): number {
  return typeof value === 'string' ? Math.floor((value.replace(/=+$/, '').length * 3) / 4) : 0;
}
