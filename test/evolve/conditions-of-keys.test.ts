import { expect, test } from 'vitest';
import { listChanges } from '../../src/evolve/changes/list-changes.ts';
import { carryIds } from '../../src/model/carry.ts';
import { appOf } from './support/app-of.ts';

const text = `models:
  Team:
    fields: { name: string, mood: string? }
    unique: [{ fields: [name], where: mood = bad }]
`;

test('a unique constraint stays the same when the field in its condition is renamed', () => {
  const before = appOf(text);
  const renamed = text
    .replace('mood: string?', 'mind: { type: string?, was: mood }')
    .replace('mood = bad', 'mind = bad');
  const changes = listChanges(before, carryIds(before, appOf(renamed)));
  expect(changes.map(({ kind }) => kind)).toEqual(['rename_field']);
});
