import { expect, test } from 'vitest';
import { listQuestions } from '../../src/commands/regenerate/questions.ts';
import { makeHazard } from '../../src/evolve/hazards/hazard.ts';

const alike = makeHazard(
  'SCF423',
  'Post.slug',
  'Rows with the same `Post.slug` must be fixed first.',
);

test.each([
  [undefined, ''],
  [0, ' Your database has no such row, but others may.'],
  [1, ' 1 row in your database.'],
  [1204, ' 1,204 rows in your database.'],
])('a question about %s rows says how many the database has', (rows, said) => {
  const counted = new Map(rows === undefined ? [] : [['SCF423:Post.slug', rows]]);
  const [question] = listQuestions({ ambiguities: [], doubts: [], unaccepted: [alike] }, counted);
  expect(question?.message).toBe(`\`Post.slug\`: ${alike.message}${said}`);
});
