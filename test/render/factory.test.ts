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
  ['int unique', /handle: 1000 \+ next\(/],
  ['int(1..1000) unique', /handle: \d{1,2} \+ next\(/],
  ['int(-5000..-1) unique', /handle: -\d+ \+ next\(/],
  [
    String.raw`{ type: string(5..5), pattern: '^[0-9]{4}\\$', unique: true }`,
    /handle: spelled\(.*\) \+ '/,
  ],
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

test('integers beyond those that JavaScript counts exactly are not numbered', () => {
  const written = emit(`
version: 1
app: { name: notes }
models:
  Note: { fields: { serial: 'bigint(9007199254740993..9007199254799999) unique' } }
`);
  const factory = written.find((file) => file.path === 'test/factory.ts')?.content;
  expect(factory).toMatch(/serial: '90071992547\d+'/);
});
