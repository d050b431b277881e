import type { Engine, Storage, TypeDefinition } from './field-type.ts';
import {
  exampleDigits,
  numberDefinition,
  findNumberFlaw,
  readNumber,
  sampleNumber,
  scaleDecimal,
  findExactNumberFlaw,
  sampleExact,
} from './numbers.ts';
import { castToText, unlessLike } from './sql.ts';

/** Zero has no sign. */
const integer = '(0|-?[1-9][0-9]*)';

/** What all types of whole numbers share. */
const integerStorage = {
  sqlite: {
    column: () => 'integer',
    literal: String,
    from: {
      text: () => ({
        value: (it) => `CAST(${it} AS integer)`,
        failureSql: (it) => `${it} <> CAST(CAST(${it} AS integer) AS text)`,
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
        failureSql: unlessLike(integer, (it) =>
          outsideSql(`${it}::numeric`, after.kind === 'int' ? 31 : 63),
        ),
      }),
    },
    to: { text: castToText },
  },
} satisfies Readonly<Record<Engine, Storage>>;

function outsideSql(number: string, bits: number): string {
  const limit = 2n ** BigInt(bits);
  return `${number} NOT BETWEEN -${limit} AND ${limit - 1n}`;
}

const intLimits = { min: '-2147483648', max: '2147483647', scale: 0 };

export const int: TypeDefinition = {
  ...numberDefinition,
  reference: { written: 'int', json: 'number', holds: '32 bits' },
  foreign: [
    'integer',
    'int4',
    'int32',
    'smallint',
    'serial',
    'number',
    'positiveinteger',
    'smallinteger',
  ],
  limits: () => intLimits,
  ordered: 'number',
  read: readNumber,
  flawOf: (value, field) => findNumberFlaw(value, field, intLimits),
  typescript: 'number',
  call: 't.Int',
  asText: { least: 1, most: 11 },
  family: 'integer',
  sqlite: integerStorage.sqlite,
  postgres: { ...integerStorage.postgres, column: () => 'integer' },
  sample: (field) => sampleNumber(field, 42),
  examples: (field) => exampleDigits(field, ['7', '42', '19'], intLimits).map(Number),
  wrong: '7',
};

const bigintLimits = {
  min: '-9223372036854775808',
  max: '9223372036854775807',
  scale: 0,
  isColumn: true,
} as const;

export const bigint: TypeDefinition = {
  ...numberDefinition,
  ...integerStorage,
  reference: {
    written: 'bigint',
    json: 'string',
    holds: '64 bits; a string, because a JavaScript number would lose digits',
  },
  foreign: ['long', 'int8', 'int64', 'biginteger'],
  exact: true,
  limits: () => bigintLimits,
  ordered: 'exact',
  flawOf: (value, field) => findExactNumberFlaw(value, field, bigintLimits),
  canonical: (value) => String(scaleDecimal(String(value), 0) ?? value),
  typescript: 'string',
  call: 't.BigInt',
  encoded: true,
  asText: { least: 1, most: 20 },
  family: 'integer',
  sample: (field) => sampleExact(field, '9007199254740993', bigintLimits),
  examples: (field) => exampleDigits(field, ['9007199254740993', '42', '7'], bigintLimits),
  wrong: 7,
};

/** Schemas cannot use it, so `flawOf` is never called. */
export const id: TypeDefinition = {
  sqlite: integerStorage.sqlite,
  postgres: {
    ...integerStorage.postgres,
    column: ({ stored }) => (stored === undefined ? 'bigint' : 'integer'),
  },
  reference: { written: 'id', json: 'number', holds: 'an id that the database counts' },
  ordered: 'bytes',
  flawOf: () => undefined,
  typescript: 'number',
  call: 't.Id',
  asText: { least: 1, most: 20 },
  family: 'integer',
  sort: 'number',
  sample: () => 1,
  examples: () => [1],
  wrong: 'nobody',
};
