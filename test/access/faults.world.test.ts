import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differences, drawn, seed, whileBroken } from '../support/access.ts';
import { brokenIn, faults, leaks, taken, words } from './faults.ts';

test('each word of the language is broken once, and each way around it', () => {
  expect(brokenIn(faults)).toEqual(new Set([...words, ...leaks]));
});

/** The projects in which a fault is looked for until it is seen: the first is small, and shows most of them. */
const drawings = 4;
const projects: Promise<string>[] = [];

const projectOf = (round: number): Promise<string> => {
  const drawing = round === 0 ? { count: 10, changes: 100 } : { count: 25, changes: 300 };
  return (projects[round] ??= drawn(seed + 2 * round, 'sqlite', drawing));
};

// One after the other, in the same project: what starts is the same but for a line.
const rows = taken(faults).map(
  ([name, file, right, broken]) => [name, file, [right, broken]] as const,
);

test.each(rows)('the oracle sees that `%s` is broken', async (_, file, fault) => {
  for (let round = 0; round < drawings; round++) {
    const folder = await projectOf(round);
    const found = await whileBroken(join(folder, file), fault, () => differences(folder, 'sqlite'));
    // It answers, and otherwise: a project that does not start proves nothing.
    if (found.includes('The server and the loops differ')) return;
  }
  expect.fail(`No answer of ${drawings} projects was another one.`);
});
