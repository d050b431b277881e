import { expect, test } from 'vitest';
import { planMigration } from '../../src/evolve/plan-migration.ts';
import { carryIds } from '../../src/model/carry.ts';
import { appOf } from './support/app-of.ts';

const schema = (relations: string) =>
  `models: { Note: { fields: { a: int }, relations: { ${relations} } }, Tag: { fields: { a: int } }, Mark: { relations: { note: Note, tag: Tag } } }`;
const warning =
  ' `was` at `Note.next` does not keep them: write into `up.sql` what happens to them.';

test.each([
  ['links for a relation to one', 'tags: "Tag[]"', 'next: { to: Tag?, was: tags }', warning],
  [
    'keys for rows of a model',
    'tags: Tag?',
    'next: { to: Tag, many: true, through: Mark, was: tags }',
    warning,
  ],
  ['keys to rows of another model', 'tags: Tag?', 'next: { to: User?, was: tags }', warning],
  ['links, but not without a `was`', 'tags: "Tag[]"', 'next: Tag?', ''],
  ['keys, but not without a `was`', 'tags: Tag?', 'next: "Tag[]"', ''],
])('a `was` that cannot be followed is reported: %s', (_, was, is, note) => {
  const before = appOf(schema(was));
  const { hazards } = planMigration({ before, after: carryIds(before, appOf(schema(is))) });
  const [loss] = hazards.filter(({ kind }) => kind === 'destructive');
  expect(loss?.message).toMatch(/^This deletes all (?:links|values)\./);
  expect(loss?.message.replace(/^This deletes all \w+\./, '')).toBe(note);
});
