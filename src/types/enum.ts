import type { FieldType, TypeDefinition } from './field-type.ts';
import { textStorage } from './texts.ts';

/** The values are the app's: checks, samples and misfits are made where these are known. */
export const enumeration: TypeDefinition = {
  ...textStorage,
  reference: { written: "an enum's name", json: 'string', holds: 'one of its values' },
  ordered: 'bytes',
  misfit: () => undefined,
  typescript: 'string',
  call: 't.OneOf',
  details: (type) => ({ values: valuesName(type) }),
  family: 'text',
  sort: 'text',
  sample: () => null,
  wrong: 'unheard of',
};

/** The name of the values in the emitted code. */
const valuesName = (type: FieldType) => (type.kind === 'enum' ? `enums.${type.enum}` : '');
