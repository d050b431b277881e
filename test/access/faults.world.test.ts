import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differences, drawn, seed, whileBroken } from '../support/access.ts';
import { brokenIn, faults, leaks, taken, words } from './faults.ts';

test('each word of the language has a fault, and so does each way around it', () => {
  expect(brokenIn(faults)).toEqual(new Set([...words, ...leaks]));
});

/** The number of projects that are tried until a fault shows: the first is small, and shows most of them. */
const drawings = 4;
const projects: Promise<string>[] = [];

const projectOf = (round: number): Promise<string> => {
  const drawing = round === 0 ? { count: 10, changes: 100 } : { count: 25, changes: 300 };
  return (projects[round] ??= drawn(seed + 2 * round, 'sqlite', drawing));
};

// One after the other, in the same project, which changes only by a line.
const rows = taken(faults).map(
  ([name, file, right, broken]) => [name, file, [right, broken]] as const,
);

test.each(rows)('the oracle sees that `%s` is broken', async (_, file, fault) => {
  for (let round = 0; round < drawings; round++) {
    const folder = await projectOf(round);
    const found = await whileBroken(join(folder, file), fault, () => differences(folder, 'sqlite'));
    // It answers, but differently: a project that does not start proves nothing.
    if (found.includes('The server and the loops differ')) return;
  }
  expect.fail(`No answer of ${drawings} projects was another one.`);
});
