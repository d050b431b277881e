import type { TypeFacts } from './field-type.ts';
import { proseLiterals, sampleText, textFacts, textMisfit, textStorage } from './texts.ts';

export const text: TypeFacts = {
  ...textFacts,
  reference: { written: 'text', json: 'string', holds: 'well-formed Unicode without NUL' },
  foreign: ['longtext'],
  pattern: true,
  misfit: textMisfit,
  call: 't.Text',
  sqlite: { ...textStorage.sqlite, literal: proseLiterals.sqlite },
  postgres: { ...textStorage.postgres, literal: proseLiterals.postgres },
  sample: (field) => sampleText(field, 'The leaves turned early this year.'),
};
