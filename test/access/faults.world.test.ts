import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differences, drawn, type Drawing, seed, whileBroken } from '../support/access.ts';
import { brokenIn, faults, leaks, words } from './faults.ts';

test('each word of the language is broken once, and each way around it', () => {
  expect(brokenIn(faults)).toEqual(new Set([...words, ...leaks]));
});

/** The projects in which a fault is looked for until it is seen: the first is small, and shows most of them. */
const drawings: readonly Drawing[] = [
  { count: 10, changes: 100 },
  ...Array.from({ length: 3 }, () => ({ count: 25, changes: 300 })),
];
const projects: Promise<string>[] = [];

// One after the other, in the same project: what starts is the same but for a line.
const rows = faults.map(([name, file, right, broken]) => [name, file, [right, broken]] as const);

test.each(rows)('the oracle sees that `%s` is broken', async (_, file, fault) => {
  for (const [round, drawing] of drawings.entries()) {
    const folder = await (projects[round] ??= drawn(seed + 2 * round, 'sqlite', drawing));
    const find = () => differences(folder, 'sqlite');
    const found = await whileBroken(join(folder, file), fault, find);
    // It answers, and otherwise: a project that does not start proves nothing.
    if (found.includes('The server and the loops differ')) return;
  }
  expect.fail(`No answer of ${drawings.length} projects was another one.`);
});
