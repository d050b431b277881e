import { describe, expect, test } from 'vitest';
import { emit } from '../support/emit.ts';

interface Fields {
  readonly user?: string;
  readonly animal?: string;
}

const zoo = ({ user = '', animal = '' }: Fields) => `
version: 1
app: { name: zoo, description: A zoo. }
enums: { Diet: [grass, meat] }
models:
  User:
    fields: { shoe_size: 'int?'${user} }
  Animal:
    owner: keeper
    soft_delete: true
    fields: { species: 'string(1..80)', diet: Diet${animal} }
    relations: { keeper: User, friends: 'Animal[]' }
`;

const before = new Map(emit(zoo({})).map(({ path, content }) => [path, content]));

/** What people edit is merged at every run; a new field must not reach it. */
describe.each([
  ['optional', "stripe_count: 'int?'"],
  ['required', "stripe_count: 'int(0..) = 4'"],
  ['read-only', "stripe_count: 'int = 4 readonly'"],
  ['hidden', "stripe_count: 'int? hidden'"],
  ['unique', "stripe_count: 'int? unique'"],
  ['immutable', "stripe_count: 'int? immutable index'"],
  ['an enum', "stripe_count: 'Diet?'"],
])('a field that is %s', (_, field) => {
  test.each([
    ['users', zoo({ user: `, ${field}` })],
    ['animals', zoo({ animal: `, ${field}` })],
  ])(
    'of %s is named in three files of code that are generated, in the migrations, and in the test of its model',
    (folder, schema) => {
      const changed = emit(schema).filter(
        ({ path, content }) => before.get(path) !== content && path !== 'schema.yaml',
      );
      // The model's test writes its requests and answers out, and seeds its rows, so a new field is in them.
      const shown = [`test/${folder}.test.ts`, 'seeds/seed.ts'];
      const policies = new Set(
        changed.filter(({ path }) => !shown.includes(path)).map(({ policy }) => policy),
      );
      expect(policies).toEqual(new Set(['appended', 'generated']));

      const naming = changed.filter(
        ({ path, content }) => content.includes('stripe_count') && !path.startsWith('migrations/'),
      );
      expect(naming.map(({ path }) => path).toSorted()).toEqual(
        ['src/database/tables.ts', `src/${folder}/schema.ts`, ...shown]
          .filter((path) => naming.some((file) => file.path === path) || !shown.includes(path))
          .toSorted(),
      );
    },
  );
});

test('a rule about who writes a field needs nothing in the queries', () => {
  const rule = ", stripe_count: { type: 'int?', write: admin }";
  const all = emit(zoo({ user: rule, animal: rule }));
  for (const path of ['src/users/queries.ts', 'src/animals/queries.ts']) {
    const content = all.find((file) => file.path === path)?.content;
    expect(content).toContain('return updating(');
    expect(content).toBe(before.get(path));
  }
});

test('a field that everybody must give to register is in the example call of the README, too', () => {
  const files = emit(zoo({ user: ", stripe_count: 'int'" }));
  const naming = files.filter(
    ({ policy, content }) => policy === 'yours' && content.includes('stripe_count'),
  );
  expect(naming.map(({ path }) => path)).toEqual(['README.md', 'schema.yaml']);
});
