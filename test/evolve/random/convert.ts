import { valueName, type Value, type World, type WorldField, type WorldType } from './world.ts';

/** What becomes of a value whose field changes; `lost` when nothing can be made of any value of the old type. */
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
  const { type, min = -Infinity, max = Infinity } = field;
  switch (type.kind) {
    case 'string':
    case 'text': {
      const { length } = [...String(value)];
      return length >= min && length <= max;
    }
    case 'int':
      return (
        Number(value) >= Math.max(min, -(2 ** 31)) && Number(value) <= Math.min(max, 2 ** 31 - 1)
      );
    case 'float':
      return Number(value) >= min && Number(value) <= max;
    case 'decimal':
      return Math.abs(Number(value)) < 10 ** (type.precision - type.scale);
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
  if (to.kind === 'string' || to.kind === 'text') return { value: textOf(value, before) };
  if (from.kind === 'enum' || from.kind === 'string' || from.kind === 'text') {
    return fromText(textOf(value, before), after);
  }
  if (isNumeric(from) && isNumeric(to)) return { value: numeric(value, from, to) };
  if (from.kind === to.kind) return { value };
  if (from.kind === 'bool')
    return to.kind === 'int' || to.kind === 'bigint' ? fromBool(value, to) : 'lost';
  if (to.kind === 'bool' && (from.kind === 'int' || from.kind === 'bigint')) {
    return Number(value) === 0 || Number(value) === 1 ? { value: Number(value) === 1 } : 'misfit';
  }
  if (from.kind === 'date' && to.kind === 'datetime') return { value: `${value}T00:00:00.000Z` };
  if (from.kind === 'datetime' && to.kind === 'date') return { value: String(value).slice(0, 10) };
  return 'lost';
}

function fromBool(value: Value, to: WorldType): Converted {
  const number = value === true ? 1 : 0;
  return { value: to.kind === 'bigint' ? String(number) : number };
}

function textOf(value: Value, { field, world }: Field): string {
  if (field.type.kind === 'enum') return valueName(world, field.type.of, value) ?? 'no value';
  return field.type.kind === 'json' ? JSON.stringify(value) : String(value);
}

function fromText(text: string, { field, world }: Field): Converted {
  const { type } = field;
  switch (type.kind) {
    case 'int':
    case 'bigint': {
      if (!/^(0|-?[1-9]\d{0,17})$/.test(text)) return 'misfit';
      return { value: type.kind === 'int' ? Number(text) : text };
    }
    case 'float':
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? { value: Number(text) } : 'misfit';
    case 'decimal': {
      const [, digits = ''] = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [
        undefined,
        'x'.repeat(99),
      ];
      return digits.length > type.scale ? 'misfit' : { value: fixed(Number(text), type.scale) };
    }
    case 'bool':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : 'misfit';
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? { value: text } : 'misfit';
    case 'datetime':
      return /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(text) ? { value: text } : 'misfit';
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

/** Samples are small, so that a number holds them exactly. */
function numeric(value: Value, from: WorldType, to: WorldType): Value {
  const number = Number(value);
  if (to.kind === 'float') return number;
  if (to.kind === 'decimal') return fixed(number, to.scale);
  const whole = rounded(number, 0) || 0;
  if (from.kind === 'bigint' && to.kind === 'bigint') return value;
  return to.kind === 'bigint' ? String(whole) : whole;
}

function fixed(value: number, scale: number): string {
  const text = rounded(value, scale).toFixed(scale);
  return Number(text) === 0 ? (0).toFixed(scale) : text;
}

/** Half away from zero. */
function rounded(value: number, scale: number): number {
  const unit = 10 ** scale;
  return (Math.sign(value) * Math.round(Math.abs(value) * unit)) / unit;
}

/** Nothing can be made of any value of the type. */
export function isLost(from: WorldType, to: WorldType): boolean {
  if (isText(from) || from.kind === to.kind || to.kind === 'string' || to.kind === 'text') {
    return false;
  }
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
]);

function isText({ kind }: WorldType): boolean {
  return kind === 'string' || kind === 'text' || kind === 'enum';
}
