import * as fc from 'fast-check';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { declared } from '../merge/support/edits/make-edit.ts';
import { installBoth } from '../support/install.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { typeErrors } from '../support/type-check.ts';
import { samples } from './support/tree-samples.ts';
import { makeTreeTrial, put, read, regenerate } from './support/tree-trial.ts';

/** `SEED=… npx vitest run test/regenerate/properties.world.test.ts` repeats a run. */
const seed = searchSeed();
const count = trials({ quick: 1, full: 1, deep: 40 });

describe('a project that type-checks', () => {
  let folder = '';
  let trees: readonly string[] = [];

  beforeAll(async () => {
    folder = await scratchFolder('type-checked');
    trees = await makeTrees(folder);
    await installBoth(folder);
  });

  test('type-checks afterwards as well', async () => {
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

/** Those that the edits alone do not cause: some of them leave code that the compiler refuses. */
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
async function makeTrees(folder: string): Promise<readonly string[]> {
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
