import type { TypeFacts } from './field-type.ts';
import { integerStorage } from './numbers.ts';

/** No schema names it: `misfit` is never asked. */
export const id: TypeFacts = {
  ...integerStorage,
  reference: { written: 'id', json: 'number', holds: 'an id that the database counts' },
  ordered: 'bytes',
  misfit: () => undefined,
  typescript: 'number',
  call: 't.Id',
  family: 'integer',
  sort: 'number',
  sample: () => 1,
  examples: () => [1],
  wrong: 'nobody',
};
