import type { TypeDefinition } from './field-type.ts';
import { requireForm } from './value-flaw.ts';
import { pickLengths, textDefinition, textStorage } from './texts.ts';

const firstNames = ['ann', 'ben', 'eve', 'joe', 'kim', 'lee', 'may', 'pat', 'ray', 'sue'];

export const email: TypeDefinition = {
  ...textDefinition,
  ...textStorage,
  reference: { written: 'email', json: 'string', holds: 'an address, trimmed and in lower case' },
  foreign: ['mail'],
  lengths: { least: 16, most: 254 },
  flawOf: requireForm(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address, like `ann@example.test`'),
  canonical: (value) => String(value).trim().toLowerCase().normalize('NFC'),
  call: 't.Email',
  encoded: true,
  sample: (field) => {
    const { min = 0, max = Infinity } = pickLengths(field);
    return 'ann@example.test'.padStart(min, 'a').slice(-max);
  },
  examples: (field) => {
    const { min = 0, max = Infinity } = pickLengths(field);
    return firstNames
      .map((name) => `${name}@example.test`.padStart(min, name).slice(-max))
      .filter((text) => /^[a-z]+@[a-z]+\.[a-z]+$/.test(text));
  },
  wrong: 'nobody',
};
