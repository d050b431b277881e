import { keyKinds, keyMakers } from '../../../src/types/keys.ts';
import type { Document } from './pick.ts';

/** A type with bounds, and values that lie in them. */
export interface Kind {
  readonly type: string;
  readonly min?: string;
  readonly max?: string;
  readonly pattern?: string;
  readonly values: readonly (string | number | boolean | object)[];
  readonly words?: readonly string[];
  /** Has enough values for a unique column of users. */
  readonly many?: true;
  /** May be unique, if only for a few rows. */
  readonly unique?: true;
  readonly orderable?: true;
}

const many = { many: true, unique: true, orderable: true } as const;
const few = { unique: true, orderable: true } as const;

export const kinds: readonly Kind[] = [
  { type: 'string', values: ['plain', 'two words', "it's", ' \u2028 🙂 "`'], ...many },
  {
    type: 'string',
    min: '3',
    max: '160',
    values: ['abc', 'a:b', '{{x}}', 'x'.repeat(90)],
    ...many,
  },
  { type: 'string', max: '20', values: ['', 'null', 'true'], ...many },
  { type: 'string', min: '5', max: '5', values: ['abcde'], ...few },
  { type: 'string', max: '1', values: ['', 'ß'], ...few },
  { type: 'string', min: '0', max: '0', values: [''], ...few },
  {
    type: 'string',
    min: '1',
    max: '80',
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    values: ['a-b-c'],
    ...many,
  },
  { type: 'string', max: '12', pattern: '^[A-Z]{2}[0-9]{3,6}$', values: ['AB123'], ...many },
  { type: 'string', pattern: '^(?:ä|ß|İ|[à-ÿ]{2}|\\d{4}/"\'`)\\p{Lu}?$', values: ['ä'], ...few },
  { type: 'text', values: ['', 'line one\nline two', '`${x}` */'], ...many },
  { type: 'text', min: '1', max: '5000', values: ['x'], ...many },
  { type: 'text', pattern: '^\\S{2,}$', values: ['xy'], ...many },
  { type: 'email', values: ['ann@example.test'], ...many },
  { type: 'email', min: '16', max: '16', values: ['ann@example.test'], ...few },
  { type: 'url', values: ['https://example.test/a?b=c#d'], ...many },
  { type: 'url', max: '10', values: ['http://a.b'], ...few },
  { type: 'url', min: '60', max: '61', values: [`https://example.test/${'y'.repeat(40)}`], ...few },
  { type: 'int', values: [0, -1, 2147483647], ...many },
  { type: 'int', min: '0', values: [0, 7], ...many },
  { type: 'int', min: '-5', max: '5', values: [-5, 5], ...few },
  { type: 'int', max: '-2147483648', values: [-2147483648], ...few },
  { type: 'bigint', values: ['9223372036854775807', '-1'], ...many },
  { type: 'bigint', min: '1', values: ['1'], ...many },
  { type: 'bigint', max: '-9007199254740993', values: ['-9223372036854775808'], ...few },
  { type: 'float', values: [0.5, -1e-7, 3], ...few },
  { type: 'float', min: '0', max: '1', values: [0, 1, 0.25], ...few },
  { type: 'float', min: '-0.001', max: '0.001', values: [0.0005], ...few },
  { type: 'float', min: '0.1', max: '0.1', values: [0.1], ...few },
  { type: 'decimal(12,2)', values: ['10.50', '-0.01'], ...many },
  { type: 'decimal(3,2)', min: '0', max: '9.99', values: ['9.99'], ...few },
  { type: 'decimal(18,0)', values: ['123456789012345678'], ...many },
  { type: 'decimal(18,18)', values: ['0.000000000000000001'], ...few },
  { type: 'decimal(1,0)', max: '-9', values: ['-9'], ...few },
  { type: 'bool', values: [true, false], orderable: true },
  { type: 'date', values: ['2024-02-29', '0001-01-01', '9999-12-31'], words: ['now'], ...few },
  { type: 'time', values: ['23:59:59', '00:00', '12:34:56.7'], words: ['now'], ...few },
  {
    type: 'datetime',
    values: [
      '2026-01-02T03:04:05.678Z',
      '2026-01-02',
      '2026-01-02 03:04',
      '2026-12-31T23:59:59+14:00',
    ],
    words: ['now'],
    ...few,
  },
  {
    type: 'uuid',
    values: ['018f4e6a-7b8c-7d9e-8f00-112233445566', '018F4E6A-7B8C-7D9E-8F00-AABBCCDDEEFF'],
    words: ['uuid'],
    ...many,
  },
  {
    type: 'json',
    values: [{ a: [1, 'two', null] }, [], true, 'text', 0, { '': { "it's": '${' } }],
  },
  { type: 'string[]', values: [[], ['plain', "it's", '{"a",\\b}', ' \u2028 \n🙂'], ['']] },
  { type: 'int[]', values: [[], [0, -1, 2147483647]] },
  { type: 'bytes', values: ['aGVsbG8=', ''] },
  { type: 'bytes', min: '2', max: '3', values: ['AAA=', 'AAAA'] },
];

/** What `id` may be, short and long. */
export const idsOfModels: readonly (string | Document)[] = [
  ...keyKinds,
  { type: 'uuid' },
  ...keyMakers.map((type) => ({ type, prefix: 'k-9_' })),
  { type: 'text', max: 255 },
  { type: 'text', max: 12 },
];
