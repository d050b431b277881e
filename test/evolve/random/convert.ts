import { valueName, type Value, type World, type WorldField, type WorldType } from './world.ts';

/** What becomes of a value whose field changes; `lost` when no value of the old type can be converted. */
export type Converted = { readonly value: Value } | 'misfit' | 'lost';

export interface Field {
  readonly field: Pick<WorldField, 'type' | 'min' | 'max'>;
  readonly world: World;
}

export function convertValue(value: Value, before: Field, after: Field): Converted {
  const converted = convert(value, before, after);
  if (typeof converted === 'string') return converted;
  return isAllowed(converted.value, after) ? converted : 'misfit';
}

export function isAllowed(value: Value, { field, world }: Field): boolean {
  const { type, min = -Infinity, max = type.kind === 'email' ? 254 : Infinity } = field;
  switch (type.kind) {
    case 'string':
    case 'text':
    case 'email':
    case 'url': {
      const { length } = [...String(value)];
      return length >= min && length <= max;
    }
    case 'int':
    case 'bigint': {
      const bits = type.kind === 'int' ? 31n : 63n;
      const number = exactOf(value).digits;
      if (number < -(2n ** bits) || number >= 2n ** bits) return false;
      return Number(value) >= min && Number(value) <= max;
    }
    case 'float':
      return Number(value) >= min && Number(value) <= max;
    case 'decimal': {
      const { digits } = rounded(exactOf(value), type.scale);
      return digits > -(10n ** BigInt(type.precision)) && digits < 10n ** BigInt(type.precision);
    }
    case 'enum':
      return valueName(world, type.of, value) !== undefined;
    default:
      return true;
  }
}

function convert(value: Value, before: Field, after: Field): Converted {
  const [from, to] = [before.field.type, after.field.type];
  if (to.kind === 'enum') {
    if (from.kind === 'enum' && from.of === to.of) return { value };
    return fromText(textOf(value, before), after);
  }
  if (isPlainText(to)) return { value: textOf(value, before) };
  if (isText(from)) return fromText(textOf(value, before), after);
  if (isNumeric(from) && isNumeric(to)) return { value: numeric(value, from, to) };
  if (from.kind === to.kind) return { value };
  if (from.kind === 'bool')
    return to.kind === 'int' || to.kind === 'bigint' ? fromBool(value, to) : 'lost';
  if (to.kind === 'bool' && (from.kind === 'int' || from.kind === 'bigint')) {
    return Number(value) === 0 || Number(value) === 1 ? { value: Number(value) === 1 } : 'misfit';
  }
  if (from.kind === 'date' && to.kind === 'datetime') return { value: `${value}T00:00:00.000Z` };
  if (from.kind === 'datetime' && to.kind === 'date') return { value: String(value).slice(0, 10) };
  if (from.kind === 'datetime' && to.kind === 'time') return { value: String(value).slice(11, -1) };
  return 'lost';
}

function fromBool(value: Value, to: WorldType): Converted {
  const number = value === true ? 1 : 0;
  return { value: to.kind === 'bigint' ? String(number) : number };
}

function textOf(value: Value, { field, world }: Field): string {
  if (field.type.kind === 'enum') return valueName(world, field.type.of, value) ?? 'no value';
  if (field.type.kind === 'float') return floatText(Number(value));
  return field.type.kind === 'json' ? JSON.stringify(value) : String(value);
}

/** As PostgreSQL prints it: with an exponent, of two digits or more, below 0.0001 and from sixteen digits on. */
function floatText(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e15)) return String(value);
  return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
}

function fromText(text: string, { field, world }: Field): Converted {
  const { type } = field;
  switch (type.kind) {
    case 'int':
    case 'bigint': {
      if (!/^(0|-?[1-9]\d*)$/.test(text)) return 'misfit';
      return { value: type.kind === 'int' ? Number(text) : text };
    }
    case 'float': {
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d{1,3})?$/.test(text)) return 'misfit';
      return Number.isFinite(Number(text)) ? { value: Number(text) } : 'misfit';
    }
    case 'decimal': {
      const found = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
      if (found === null || (found[1] ?? '').length > type.scale) return 'misfit';
      return { value: fixed(exactOf(text), type.scale) };
    }
    case 'bool':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : 'misfit';
    case 'date':
      return isMoment(`${text}T00:00:00.000Z`) ? { value: text } : 'misfit';
    case 'datetime':
      return isMoment(text) ? { value: text } : 'misfit';
    case 'time':
      return isMoment(`2024-02-29T${text}Z`) ? { value: text } : 'misfit';
    case 'uuid':
      return /^[0-9a-f-]{36}$/.test(text) ? { value: text } : 'misfit';
    case 'enum': {
      const values = world.enums.find(({ id }) => id === type.of)?.values ?? [];
      const value = values.find((it) => it.value === text);
      return value === undefined ? 'misfit' : { value: value.id };
    }
    default:
      return { value: text };
  }
}

function isNumeric({ kind }: WorldType): boolean {
  return kind === 'int' || kind === 'bigint' || kind === 'float' || kind === 'decimal';
}

function numeric(value: Value, from: WorldType, to: WorldType): Value {
  if (to.kind === 'float') return Number(value);
  if (from.kind === 'bigint' && to.kind === 'bigint') return value;
  const exact = exactOf(value);
  if (to.kind === 'decimal') return fixed(exact, to.scale);
  const whole = String(rounded(exact, 0).digits);
  return to.kind === 'bigint' ? whole : Number(whole);
}

/** A number of any size: its digits, and how many of them are behind the point. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

/** A float counts as what it prints as; beyond 2^53, as the whole number that it is. */
function exactOf(value: Value): Exact {
  if (typeof value === 'number' && Math.abs(value) >= 2 ** 53 && isLong(value)) {
    return { digits: BigInt(value), scale: 0 };
  }
  const [, whole = '', fraction = '', power = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(String(value)) ?? [];
  const scale = fraction.length - Number(power);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** Whether it fits into 64 bits. */
function isLong(value: number): boolean {
  return value >= -(2 ** 63) && value < 2 ** 63;
}

/** Halves are rounded away from zero. */
function rounded({ digits, scale }: Exact, to: number): Exact {
  if (scale <= to) return { digits: digits * 10n ** BigInt(to - scale), scale: to };
  const unit = 10n ** BigInt(scale - to);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return { digits: (digits + half) / unit, scale: to };
}

function fixed(exact: Exact, scale: number): string {
  const { digits } = rounded(exact, scale);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const point = text.length - scale;
  return `${digits < 0n ? '-' : ''}${text.slice(0, point)}${scale === 0 ? '' : `.${text.slice(point)}`}`;
}

function isMoment(text: string): boolean {
  const time = new Date(text).getTime();
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

/** Whether no value of the type can be converted. */
export function isLost(from: WorldType, to: WorldType): boolean {
  if (from.kind === to.kind) return false;
  const apart = ['bytes', 'string[]', 'int[]'];
  if (apart.includes(from.kind) || apart.includes(to.kind)) return true;
  if (isText(from) || isPlainText(to)) return false;
  if (isNumeric(from) && isNumeric(to)) return false;
  return to.kind !== 'enum' && !convertible.has(`${from.kind}>${to.kind}`);
}

const convertible = new Set([
  'bool>int',
  'bool>bigint',
  'int>bool',
  'bigint>bool',
  'date>datetime',
  'datetime>date',
  'datetime>time',
]);

function isText(type: WorldType): boolean {
  return type.kind === 'enum' || isPlainText(type);
}

/** Addresses that become texts are not checked again. */
function isPlainText({ kind }: WorldType): boolean {
  return kind === 'string' || kind === 'text' || kind === 'email' || kind === 'url';
}
