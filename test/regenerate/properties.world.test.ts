import * as fc from 'fast-check';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { schemaSteps } from '../merge/support/changed-files.ts';
import { declared } from '../merge/support/edits/make-edit.ts';
import { judge } from '../merge/support/trial.ts';
import { installBoth } from '../support/install.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { typeErrors } from '../support/type-check.ts';
import {
  makeTreeTrial,
  put,
  read,
  regenerate,
  type Regenerate,
  type TreeSample,
  type TreeTrial,
} from './support/tree-trial.ts';

/** `SEED=… npx vitest run test/regenerate/properties.world.test.ts` repeats a run. */
const seed = searchSeed();
const counts = {
  trees: trials({ quick: 2, full: 12, deep: 600 }),
  checked: trials({ quick: 1, full: 2, deep: 40 }),
};
const steps = schemaSteps();
say(`regenerate: SEED=${seed}, ${steps.length} changes of schemas`);

const throws = fc.record({ kind: fc.nat(1000), place: fc.nat(1000), detail: fc.nat(96) });

function samples(among: TreeSample['among'], files: number): fc.Arbitrary<TreeSample> {
  return fc.record({
    step: fc.constantFrom(...steps),
    files: fc.array(
      fc.record({ at: fc.nat(), dice: fc.array(throws, { minLength: 1, maxLength: 3 }) }),
      { minLength: files, maxLength: files },
    ),
    among: fc.constant(among),
  });
}

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
    const outcome = await judge({ kind: 'ts', expected: text }, { text: is, conflicts });
    if (outcome === 'wrong') return `${path} is not what the edits make of it:\n${is}`;
  }
  if (plan.changes.some(({ conflicts }) => conflicts.length > 0)) return undefined;
  const again = await work(folder, after);
  const { changes, bookkeeping } = again.plan;
  const done = [...changes, ...bookkeeping].map(({ path }) => path);
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
  check(regenerate, counts.trees));

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
  const bookkeeping = [{ path: '.scaffold/runs', after: `${done.plan.kept}` }];
  return { ...done, plan: { ...done.plan, bookkeeping } };
}

test.each(Object.entries(planted))('a run is caught where %s', async (_, [work, message]) => {
  await expect(check(work, 6)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringMatching(message) }),
  });
});

describe('a project that type-checks', () => {
  let folder = '';
  let trees: readonly string[] = [];

  beforeAll(async () => {
    folder = await scratchFolder('type-checked');
    trees = await makeTrees(folder, counts.checked);
    await installBoth(folder);
  });

  test('does so afterwards', async () => {
    expect(newErrors(await typeErrors(folder, trees))).toEqual([]);
  });

  test('an import that a merge lost is found', async () => {
    const [after = ''] = trees.filter((name) => name.endsWith('-after'));
    const path = 'src/routes.ts';
    const text = read(join(folder, after), path) ?? '';
    put(join(folder, after), path, text.replace(/^import .*authRoutes.*\n/m, ''));
    const errors = await typeErrors(folder, [after.replace('after', 'before'), after]);
    expect(newErrors(errors)).toEqual([expect.stringContaining('authRoutes')]);
  });
});

/** Those that the edits alone do not bring: some of them leave code that the compiler refuses. */
function newErrors(errors: readonly string[]): readonly string[] {
  const before = new Set(errors.filter(isBefore).map(withoutPlace));
  return errors.filter((it) => !isBefore(it) && !before.has(withoutPlace(it)));
}

function isBefore(error: string): boolean {
  return /^tree-\d+-before/.test(error);
}

function withoutPlace(error: string): string {
  return error.replace(/^(tree-\d+)-\w+/, '$1').replace(/\(\d+,\d+\)/, '');
}

/** Projects with many edits, before and after a change of the schema that goes with them. */
async function makeTrees(folder: string, count: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (const sample of fc.sample(samples('typed', 40), { seed, numRuns: count * 4 })) {
    const [before, after] = [await makeTreeTrial(sample), await makeTreeTrial(sample)];
    if (names.length === count * 2 || !before || !after) continue;
    for (const trial of [before, after]) put(trial.folder, 'src/mine.d.ts', declared);
    const { plan } = await regenerate(after.folder, after.after);
    if (plan.changes.some(({ conflicts }) => conflicts.length > 0)) continue;
    for (const [kind, trial] of Object.entries({ before, after })) {
      const name = `tree-${Math.floor(names.length / 2)}-${kind}`;
      await rename(trial.folder, join(folder, name));
      names.push(name);
    }
    say(`${sample.step.name}: ${after.edited.size} edited files`);
  }
  return names;
}
