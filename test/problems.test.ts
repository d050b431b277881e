import { expect, test } from 'vitest';
import { problemFixtures, runProblemFixture } from './problems-fixtures.ts';
import { schemaExplanations } from './support/explanations.ts';

test.each(problemFixtures)('%s is reported as pinned', (name) => {
  const { problems, printed, expected } = runProblemFixture(name);
  expect(problems).not.toEqual([]);
  expect(printed).toBe(expected);
});

test('every code that a schema can raise is shown by a case', () => {
  const shown = new Set(
    problemFixtures.flatMap((name) => runProblemFixture(name).problems.map(({ code }) => code)),
  );
  // A file over 1 MiB is made when it is needed: see test/schema/limits.test.ts.
  const expected = schemaExplanations.map(([code]) => code).filter((code) => code !== 'SCF112');
  expect([...shown].toSorted()).toEqual(expected.toSorted());
});

test('problems are reported in the order of the file', () => {
  for (const { name, problems } of problemFixtures.map(runProblemFixture)) {
    const places = problems.map(({ position: { line, column } }) => line * 10_000 + column);
    expect(places, name).toEqual(places.toSorted((left, right) => left - right));
  }
});

test('nothing that a terminal acts on is printed', () => {
  for (const { name, printed } of problemFixtures.map(runProblemFixture)) {
    expect(printed.replaceAll('\n', ''), name).not.toMatch(/\p{Control}/u);
  }
});

test('YAML that does not parse has no other problem', () => {
  const broken = problemFixtures
    .map(runProblemFixture)
    .filter(({ problems }) => problems.some(({ code }) => code === 'SCF101'));
  expect(broken.length).toBeGreaterThan(5);
  for (const { name, problems } of broken) {
    expect(new Set(problems.map(({ code }) => code)).size, name).toBe(1);
  }
});
