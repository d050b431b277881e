import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';

/** What a person may edit is merged on every run: a new field must not reach it. */
const schema = (field: string) => `
version: 1
app: { name: zoo, description: A zoo. }
models:
  User:
    fields: { shoe_size: 'int?'${field} }
  Animal:
    owner: keeper
    fields: { species: 'string(1..80)'${field} }
    relations: { keeper: User, friends: 'Animal[]' }
`;

const before = new Map(emit(schema('')).map(({ path, content }) => [path, content]));

test('a new field reaches generated and appended files only, five for each model at most', () => {
  const changed = emit(schema(", stripe_count: 'int(0..) = 4'")).filter(
    ({ path, content }) => before.get(path) !== content && path !== 'schema.yaml',
  );
  expect(changed.filter(({ policy }) => policy === 'merged' || policy === 'yours')).toEqual([]);

  const naming = changed.filter(({ content }) => content.includes('stripe_count'));
  const ofModels = ['users/', 'animals/'].map((folder) =>
    naming.filter(
      ({ path }) => !path.includes('/') || !/(users|animals)\//.test(path) || path.includes(folder),
    ),
  );
  for (const files of ofModels) {
    expect(files.filter(({ path }) => !path.endsWith('down.sql')).length).toBeLessThanOrEqual(5);
  }
});
