import * as fc from 'fast-check';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { judge } from '../merge/support/trial.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { samples, steps } from './support/tree-samples.ts';
import {
  makeTreeTrial,
  put,
  read,
  regenerate,
  type Regenerate,
  type TreeTrial,
} from './support/tree-trial.ts';

/** `SEED=… npx vitest run test/regenerate/properties.test.ts` repeats a run. */
const seed = searchSeed();
const count = trials({ quick: 2, full: 4, deep: 600 });
say(`regenerate: SEED=${seed}, ${steps.length} changes of schemas`);

/** Every file is what the edits would make of a fresh project; and a second run has nothing to do. */
async function problemOf(trial: TreeTrial, work: Regenerate): Promise<string | undefined> {
  const { folder, after, expected, edited } = trial;
  const { plan } = await work(folder, after);
  for (const [path, text] of expected) {
    const is = read(folder, path);
    const conflicts = plan.changes.find((it) => it.path === path)?.conflicts ?? [];
    if (is === undefined) return `${path} is missing`;
    if (!edited.has(path) && is !== text) return `${path} is not as in a fresh project`;
    if (!edited.has(path)) continue;
    const outcome = await judge(
      { kind: 'ts', expected: text },
      { text: is, conflicts: conflicts.map((it) => ({ ...it, where: [] })) },
    );
    if (outcome === 'wrong') return `${path} is not what the edits make of it:\n${is}`;
  }
  if (plan.changes.some(({ conflicts }) => conflicts.length > 0)) return undefined;
  const again = await work(folder, after);
  const { changes, recordWrites } = again.plan;
  const done = [...changes, ...recordWrites].map(({ path }) => path);
  return done.length === 0 ? undefined : `a second run writes ${done.join(', ')}`;
}

async function check(work: Regenerate, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(samples('plain', 8), async (sample) => {
    const trial = await makeTreeTrial(sample);
    fc.pre(trial !== undefined);
    const problem = await problemOf(trial, work);
    await rm(trial.folder, { recursive: true });
    if (problem) throw new Error(`${sample.step.name}: ${problem}`);
  });
  await fc.assert(property, { numRuns, seed, maxSkipsPerRun: 100, endOnFailure: true });
}

test('an edited project becomes what its edits would make of a fresh one', () =>
  check(regenerate, count));

/** What goes wrong after the plan is carried out, in one file of it. */
function spoiling(spoil: (text: string, path: string) => string): Regenerate {
  return async (folder, schemaText) => {
    const done = await regenerate(folder, schemaText);
    for (const { path, after } of done.plan.changes) {
      if (after !== undefined && path.endsWith('.ts')) put(folder, path, spoil(after, path));
    }
    return done;
  };
}

const planted: Readonly<Record<string, readonly [Regenerate, RegExp]>> = {
  'a line is lost': [spoiling((text) => text.replace(/\n.*\n/, '\n')), /is not (as|what)/],
  'a name is another': [
    spoiling((text) => text.replace(/\bexport const (\w)/, 'export const its$1')),
    /is not (as|what)/,
  ],
  'a file is emptied': [
    spoiling((text, path) => (path.includes('schema') ? '' : text)),
    /is not (as|what)/,
  ],
  'a run never rests': [restless, /a second run writes \.scaffold\/runs/],
};

async function restless(folder: string, schemaText: string): ReturnType<Regenerate> {
  const done = await regenerate(folder, schemaText);
  const recordWrites = [{ path: '.scaffold/runs', after: `${done.plan.kept}` }];
  return { ...done, plan: { ...done.plan, recordWrites } };
}

test.each(Object.entries(planted))('a run is caught where %s', async (_, [work, message]) => {
  await expect(check(work, 6)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringMatching(message) }),
  });
});
