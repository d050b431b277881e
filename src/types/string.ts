import type { TypedField, TypeDefinition } from './field-type.ts';
import { collated, proseStorage, sampleText, textDefinition, findTextFlaw } from './texts.ts';

export const string: TypeDefinition = {
  ...textDefinition,
  reference: { written: 'string', json: 'string', holds: 'well-formed Unicode without NUL' },
  foreign: ['varchar', 'char', 'str', 'password', 'slug'],
  pattern: true,
  flawOf: findTextFlaw,
  call: 't.Text',
  sqlite: proseStorage.sqlite,
  postgres: {
    ...proseStorage.postgres,
    column: (field) => collated(isVarchar(field) ? `varchar(${field.max})` : 'text', field),
  },
  sample: (field) => sampleText(field, 'Autumn'),
};

/** In characters, on PostgreSQL. No request is as long. */
export const longestVarchar = 10_485_760;

/** Whether PostgreSQL's type holds the greatest length. */
export function isVarchar({ type, max }: TypedField): boolean {
  return type.kind === 'string' && typeof max === 'number' && max > 0 && max <= longestVarchar;
}

export const text: TypeDefinition = {
  ...textDefinition,
  ...proseStorage,
  reference: { written: 'text', json: 'string', holds: 'well-formed Unicode without NUL' },
  foreign: ['longtext'],
  pattern: true,
  flawOf: findTextFlaw,
  call: 't.Text',
  sample: (field) => sampleText(field, 'The leaves turned early this year.'),
};
