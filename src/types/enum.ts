import type { FieldType, TypeDefinition } from './field-type.ts';
import { textStorage } from './texts.ts';

/** Values belong to the app, so checks, samples and flaws are made where the app is known. */
export const enumeration: TypeDefinition = {
  ...textStorage,
  reference: { written: "an enum's name", json: 'string', holds: 'one of its values' },
  ordered: 'bytes',
  flawOf: () => undefined,
  typescript: 'string',
  call: 't.OneOf',
  details: (type) => ({ values: valuesName(type) }),
  family: 'text',
  sample: () => null,
  wrong: 'unheard of',
};

/** The values in emitted code. */
const valuesName = (type: FieldType) => (type.kind === 'enum' ? `enums.${type.enum}` : '');
