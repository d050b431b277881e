import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';

test.each([
  [`{ type: string(3..20), pattern: '^[a-z]+$', unique: true }`, /handle: .*spelled\(/],
  [
    `{ type: string(4..4), pattern: '^\\d{4}$', unique: true, example: '5012' }`,
    /spelled\(6000 \+/,
  ],
  [
    `{ type: string(..10), pattern: '^[A-Z]{2}-\\d{5}$', unique: true }`,
    /handle: `.*\$\{spelled\(/,
  ],
  ['uuid unique', /handle: `.*\$\{spelled\(/],
  ['url unique', /handle: .*next\('users\.handle'\)/],
  ['string(..40) unique', /handle: `.*\$\{next\('users\.handle'\)\}`/],
])('each user of the tests has another unique %s', (field, made) => {
  const written = emit(`
version: 1
app: { name: people }
models:
  User: { fields: { handle: ${field.startsWith('{') ? field : `'${field}'`} } }
`);
  const factory = written.find((file) => file.path === 'test/factory.ts')?.content;
  expect(factory).toMatch(made);
});
