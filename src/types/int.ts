import type { TypeFacts } from './field-type.ts';
import {
  exampleDigits,
  integerStorage,
  numberFacts,
  numberMisfit,
  readNumber,
  sampleNumber,
} from './numbers.ts';

const limits = { min: '-2147483648', max: '2147483647', scale: 0 };

export const int: TypeFacts = {
  ...numberFacts,
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
  limits: () => limits,
  ordered: 'number',
  read: readNumber,
  misfit: (value, field) => numberMisfit(value, field, limits),
  typescript: 'number',
  call: 't.Int',
  family: 'integer',
  sqlite: integerStorage.sqlite,
  postgres: { ...integerStorage.postgres, column: () => 'integer' },
  sample: (field) => sampleNumber(field, 42),
  examples: (field) => exampleDigits(field, ['7', '42', '19'], () => limits).map(Number),
  wrong: '7',
};
