import { scaleDecimal } from './decimals.ts';
import type { TypeFacts } from './field-type.ts';
import { exactMisfit, exampleDigits, integerStorage, numberFacts, sampleExact } from './numbers.ts';

const limits = {
  min: '-9223372036854775808',
  max: '9223372036854775807',
  scale: 0,
  isColumn: true,
} as const;

export const bigint: TypeFacts = {
  ...numberFacts,
  ...integerStorage,
  reference: {
    written: 'bigint',
    json: 'string',
    holds: '64 bits; a string, because a JavaScript number would lose digits',
  },
  foreign: ['long', 'int8', 'int64', 'biginteger'],
  exact: true,
  limits: () => limits,
  ordered: 'exact',
  misfit: (value, field) => exactMisfit(value, field, limits),
  canonical: (value) => String(scaleDecimal(String(value), 0) ?? value),
  typescript: 'string',
  call: 't.BigInt',
  encoded: true,
  family: 'integer',
  sample: (field) => sampleExact(field, '9007199254740993', () => limits),
  examples: (field) => exampleDigits(field, ['9007199254740993', '42', '7'], () => limits),
  wrong: 7,
};
