import * as fc from 'fast-check';

/** A field as the arbitrary thinks of it; `schema-text.ts` writes it in the short or the long form. */
export interface LegalField {
  readonly type: string;
  readonly min?: string;
  readonly max?: string;
  readonly optional?: true;
  readonly default?: string | number | boolean | object;
  readonly flags: readonly ('unique' | 'index' | 'readonly' | 'immutable' | 'hidden')[];
  readonly pattern?: string;
  readonly description?: string;
  readonly example?: string | number | boolean | object;
  readonly column?: string;
}

/** A type with bounds, and values that lie in them. */
interface Kind {
  readonly type: string;
  readonly min?: string;
  readonly max?: string;
  readonly pattern?: string;
  readonly values: readonly (string | number | boolean | object)[];
  readonly words?: readonly string[];
  /** Has enough values for a unique column. */
  readonly many?: true;
  readonly orderable?: true;
}

const kinds: readonly Kind[] = [
  { type: 'string', values: ['plain', 'two words', "it's"], many: true, orderable: true },
  {
    type: 'string',
    min: '3',
    max: '160',
    values: ['abc', 'a:b', '{{x}}'],
    many: true,
    orderable: true,
  },
  { type: 'string', max: '20', values: ['', 'null', 'true'], many: true, orderable: true },
  { type: 'string', min: '5', max: '5', values: ['abcde'], orderable: true },
  {
    type: 'string',
    min: '1',
    max: '80',
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    values: ['a-b-c'],
    many: true,
    orderable: true,
  },
  {
    type: 'string',
    max: '12',
    pattern: '^[A-Z]{2}[0-9]{3,6}$',
    values: ['AB123'],
    many: true,
    orderable: true,
  },
  { type: 'text', values: ['', 'line one\nline two', '`${x}` */'] },
  { type: 'text', min: '1', max: '5000', values: ['x'] },
  { type: 'email', values: ['ann@example.test'], many: true, orderable: true },
  { type: 'url', values: ['https://example.test/a?b=c#d'], many: true, orderable: true },
  { type: 'int', values: [0, -1, 2147483647], many: true, orderable: true },
  { type: 'int', min: '0', values: [0, 7], many: true, orderable: true },
  { type: 'int', min: '-5', max: '5', values: [-5, 5], orderable: true },
  { type: 'bigint', values: ['9223372036854775807', '-1'], many: true, orderable: true },
  { type: 'bigint', min: '1', values: ['1'], many: true, orderable: true },
  { type: 'float', values: [0.5, -1e-7, 3], orderable: true },
  { type: 'float', min: '0', max: '1', values: [0, 1, 0.25], orderable: true },
  { type: 'decimal(12,2)', values: ['10.50', '-0.01'], many: true, orderable: true },
  { type: 'decimal(3,2)', min: '0', max: '9.99', values: ['9.99'], orderable: true },
  { type: 'decimal(18,0)', values: ['123456789012345678'], many: true, orderable: true },
  { type: 'bool', values: [true, false], orderable: true },
  { type: 'date', values: ['2024-02-29'], words: ['now'], orderable: true },
  { type: 'time', values: ['23:59:59'], orderable: true },
  { type: 'datetime', values: ['2026-01-02T03:04:05.678Z'], words: ['now'], orderable: true },
  {
    type: 'uuid',
    values: ['018f4e6a-7b8c-7d9e-8f00-112233445566'],
    words: ['uuid'],
    many: true,
    orderable: true,
  },
  { type: 'json', values: [{ a: [1, 'two', null] }, [], true] },
  { type: 'bytes', values: ['aGVsbG8='] },
];

/** Any legal field of these enums. */
export function legalField(
  enums: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<LegalField> {
  const enumKinds = Object.entries(enums).map(([type, values]): Kind => ({
    type,
    values,
    orderable: true,
  }));
  return fc
    .record({
      kind: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...kinds) },
        ...enumKinds.map((it) => fc.constant(it)),
      ),
      optional: fc.boolean(),
      pick: fc.nat(),
      valueIs: fc.constantFrom('absent', 'absent', 'default', 'example', 'word'),
      flag: fc.constantFrom(
        'none',
        'none',
        'none',
        'unique',
        'index',
        'readonly',
        'immutable',
        'hidden',
      ),
    })
    .map(({ kind, optional, pick, valueIs, flag }): LegalField => {
      const { type, min, max, pattern, values, words, many, orderable } = kind;
      const value = valueIs === 'word' ? words?.[0] : values[pick % values.length];
      const isDefault = valueIs === 'default' || valueIs === 'word';
      const unique = flag === 'unique' && many && !isDefault;
      const index = flag === 'index' && orderable;
      // What only the server sets must have a value without being given one.
      const readonly = flag === 'readonly' && (optional || (isDefault && value !== undefined));
      const free = flag === 'immutable' || flag === 'hidden';
      return {
        type,
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(pattern !== undefined && { pattern }),
        ...(optional && { optional }),
        ...(isDefault && value !== undefined && { default: value }),
        ...(valueIs === 'example' && value !== undefined && { example: value }),
        flags: flag !== 'none' && (unique || index || readonly || free) ? [flag] : [],
      };
    });
}
