import * as fc from 'fast-check';
import { isAllowed } from './convert.ts';
import type { Value, World, WorldField, WorldType } from './world.ts';

export type Draw = fc.GeneratorValue;

export function chance(draw: Draw, oneIn: number): boolean {
  return draw(fc.integer, { min: 1, max: oneIn }) === oneIn;
}

export function oneOf<T>(draw: Draw, items: readonly T[]): T | undefined {
  return items[draw(fc.nat, { max: Math.max(0, items.length - 1) })];
}

type Kind = WorldType['kind'];

export function drawType(draw: Draw, world: World): WorldType {
  const kinds = [
    ...(['string', 'text', 'int', 'bigint', 'float', 'bool'] as const),
    ...(['date', 'datetime', 'uuid', 'json', 'decimal', 'decimal', 'enum', 'enum'] as const),
    ...(['email', 'url', 'time', 'bytes', 'string[]', 'int[]'] as const),
  ];
  return typeOf(draw, oneOf(draw, kinds) ?? 'text', world);
}

/** A type of another kind that values of the first can be converted to. */
export function drawNextType(draw: Draw, { kind }: WorldType, world: World): WorldType {
  const next = oneOf(draw, nextKinds[kind] ?? []);
  return next === undefined || chance(draw, 3) ? drawType(draw, world) : typeOf(draw, next, world);
}

const numbers = ['int', 'bigint', 'float', 'decimal'] as const;
const readable = ['date', 'time', 'datetime', 'bool', 'uuid', 'email', 'url', ...numbers] as const;
const nextKinds: Partial<Record<Kind, readonly Kind[]>> = {
  string: readable,
  text: readable,
  email: ['text', 'string', 'url'],
  url: ['text', 'string', 'email'],
  time: ['text', 'string'],
  int: ['text', ...numbers],
  bigint: ['text', ...numbers],
  float: ['text', ...numbers],
  decimal: ['text', ...numbers],
  date: ['text', 'datetime'],
  datetime: ['text', 'date', 'time'],
  bool: ['text', 'int'],
};

function typeOf(draw: Draw, kind: Kind, world: World): WorldType {
  if (kind === 'enum') {
    const found = oneOf(draw, world.enums);
    return found === undefined ? { kind: 'text' } : { kind, of: found.id };
  }
  if (kind !== 'decimal') return { kind };
  const scale = draw(fc.integer, { min: 0, max: 3 });
  return { kind, scale, precision: scale + draw(fc.integer, { min: 1, max: 6 }) };
}

/** Everyday values, and values at the edges of the types. */
const samples = {
  string: [
    'a',
    'plain',
    "it's",
    'Grüße 🙂',
    'two words',
    '7',
    '-3',
    '1.5',
    'true',
    'draft',
    '',
    '$$',
    'END;',
    '-0',
    'NaN',
    'infinity',
    '1e400',
    '2147483648',
    '9223372036854775808',
    '2023-02-29',
    '\u{10FFFF}',
    'a\r\nb',
    '9223372036854775807',
    '-2147483648',
  ],
  text: [
    '',
    'line\nline',
    '42',
    '0.25',
    'false',
    '2024-02-29',
    '2026-01-02T03:04:05.678Z',
    'x',
    '$a$ $a$',
    '1e300',
    '-1e300',
    '0001-01-01',
    '9999-12-31',
    '2024-02-30',
    '\r',
    '\\',
    '2023-02-29T00:00:00.000Z',
    '2024-02-29T24:00:00.000Z',
    '23:59:59.999',
    '24:00:00.000',
    'ann@example.test',
    '9999-12-31T23:59:59.999Z',
  ],
  int: [0, 1, -1, 7, 1000, 2147483647, -2147483648],
  bigint: [
    '0',
    '1',
    '-5',
    '12',
    '3000000000',
    '2147483648',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
  ],
  float: [
    0, 0.5, -1.25, 3, 1000.75, 0.1, 1.005, -2.675, 2147483647.5, 123456789012345, 9007199254740992,
    9223372036854774784, 1e300, -1e300, 1e-300,
  ],
  bool: [true, false],
  date: ['2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31'],
  time: ['00:00:00.000', '23:59:59.999', '09:30:00.001'],
  email: ['ann@example.test', "o'neil+$$@example.test", `${'a'.repeat(241)}@example.test`],
  url: ['https://example.test/', `https://example.test/?q=${'x'.repeat(240)}`],
  bytes: ['', 'AA==', 'JCQnXAo=', '////'],
  'string[]': [[], ["it's", '{"a",\\b}', 'two\nlines'], ['null', '']],
  'int[]': [[], [2147483647, -1]],
  datetime: [
    '2026-01-02T03:04:05.678Z',
    '2024-02-29T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '1969-12-31T23:59:59.999Z',
  ],
  uuid: ['018f4e6a-7b8c-7d9e-8f00-112233445566', '018f4e6a-7b8c-7d9e-8f00-1122334455aa'],
  json: ['text', 7, true, 'a"b\\c', '$$\r\n'],
} as const;

const decimals = [0, 1, -1, 0.5, -2.5, 12.25, -0.75, 99.125, 5];

/** A value that the field allows, or undefined when none was found. */
export function drawValue(
  draw: Draw,
  field: Pick<WorldField, 'type' | 'min' | 'max'>,
  world: World,
): Value | undefined {
  const { type } = field;
  if (type.kind === 'enum') {
    return oneOf(draw, world.enums.find(({ id }) => id === type.of)?.values ?? [])?.id;
  }
  if (type.kind === 'decimal') {
    const fitting = decimals.filter(
      (it) =>
        Math.abs(it) < 10 ** (type.precision - type.scale) &&
        Number.isInteger(it * 10 ** type.scale),
    );
    const { precision, scale } = type;
    const most = `${'9'.repeat(precision - scale)}${scale === 0 ? '' : `.${'9'.repeat(scale)}`}`;
    const texts = [...fitting.map((it) => it.toFixed(scale)), most, `-${most}`];
    return oneOf(draw, texts);
  }
  const fitting: readonly Value[] = samples[type.kind];
  return oneOf(
    draw,
    fitting.filter((value) => isAllowed(value, { field, world })),
  );
}
