import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { printStretches, takeSide } from '../../src/merge/markers.ts';
import { mergeText } from '../../src/merge/text.ts';
import { readChangedFiles } from './support/changed-files.ts';
import { makeCollisions } from './support/collisions.ts';
import { labels } from './support/labels.ts';
import {
  judge,
  lostWords,
  makeTrial,
  mergeTypeScript,
  type MergeTexts,
  type Outcome,
  type Sample,
  type Trial,
} from './support/trial.ts';

const deep = process.env['DEEP'] === '1';
const runs = deep ? 50_000 : 300;
const files = readChangedFiles();
const minutes = 60_000;

const throws = fc.record({
  kind: fc.nat(1000),
  place: fc.nat(1000),
  detail: fc.nat(96),
});

function samples({ isReformatted }: { isReformatted: boolean }): fc.Arbitrary<Sample> {
  return fc.record({
    file: fc.constantFrom(...files),
    dice: fc.array(throws, { minLength: 1, maxLength: 4 }),
    isReformatted: fc.constant(isReformatted),
  });
}

/** Runs a property over random edits; answers how often each outcome came. */
async function tally(
  merge: MergeTexts,
  { isReformatted, numRuns }: { isReformatted: boolean; numRuns: number },
): Promise<Record<Outcome, number>> {
  const outcomes = { same: 0, order: 0, conflict: 0, wrong: 0 };
  const property = fc.asyncProperty(samples({ isReformatted }), async (sample) => {
    const trial = await makeTrial(sample);
    fc.pre(trial !== undefined);
    const problem = await problemOf(merge, trial, outcomes);
    if (problem) throw new Error(`${trial.name}: ${problem}`);
  });
  await fc.assert(property, { numRuns, maxSkipsPerRun: 1000, endOnFailure: true });
  return outcomes;
}

/** Commutation, no word lost, and nothing to do the second time. */
async function problemOf(
  merge: MergeTexts,
  trial: Trial,
  outcomes: Record<Outcome, number>,
): Promise<string | undefined> {
  const merged = await merge(trial);
  const outcome = await judge(trial, merged);
  outcomes[outcome] += 1;
  if (outcome === 'wrong')
    return `not what the edits would make of the new output:\n${merged.text}`;
  const lost = lostWords(trial, merged);
  if (lost.length > 0) return `lost ${lost.join(', ')}`;
  const again = await merge({ base: trial.theirs, mine: merged.text, theirs: trial.theirs });
  return again.text === merged.text ? undefined : 'the second run changed something';
}

test('edits and changes that commute are merged', { timeout: 60 * minutes }, async () => {
  const outcomes = await tally(mergeTypeScript, { isReformatted: false, numRuns: runs });
  expect(outcomes.conflict).toBeLessThanOrEqual(runs * 0.005);
  expect(outcomes.order).toBeLessThanOrEqual(runs * 0.02);
});

test('the same after another formatter', { timeout: 60 * minutes }, async () => {
  const outcomes = await tally(mergeTypeScript, { isReformatted: true, numRuns: runs });
  expect(outcomes.conflict).toBeLessThanOrEqual(runs * 0.01);
  expect(outcomes.order).toBeLessThanOrEqual(runs * 0.02);
});

test('collisions are never merged in silence', { timeout: 60 * minutes }, async () => {
  const collisions = files.flatMap(({ before, after }) => makeCollisions(before, after));
  expect(collisions.length).toBeGreaterThanOrEqual(1_000);
  expect(await silent(mergeTypeScript, collisions)).toEqual([]);
});

async function silent(
  merge: MergeTexts,
  collisions: ReturnType<typeof makeCollisions>,
): Promise<string[]> {
  const found: string[] = [];
  for (const collision of collisions) {
    const { conflicts } = await merge(collision);
    if (conflicts.length === 0) found.push(`${collision.kind}:\n${collision.mine}`);
  }
  return found;
}

test(
  'two changes one after the other are the same as both at once',
  { timeout: 60 * minutes },
  async () => {
    expect(await detours(mergeTypeScript)).toEqual([]);
  },
);

/** Where before → half → after gives something else than before → after. */
async function detours(merge: MergeTexts): Promise<string[]> {
  const found: string[] = [];
  for (const file of files.filter(({ name }) => name.includes(' + '))) {
    const [first = '', path = ''] = file.name.split(/ \+ .*: /);
    const half = files.find(({ name }) => name === `${first}: ${path}`);
    const dice = [{ kind: file.after.length, place: file.before.length, detail: 7 }];
    const trial = await makeTrial({ file, dice, isReformatted: false });
    if (!half || !trial) continue;
    const straight = await merge(trial);
    const between = await merge({ ...trial, theirs: half.after });
    const around = await merge({ base: half.after, mine: between.text, theirs: file.after });
    if (between.conflicts.length + around.conflicts.length > 0) continue;
    if ((await judge({ ...trial, expected: straight.text }, around)) === 'wrong')
      found.push(trial.name);
  }
  return found;
}

const planted: Readonly<Record<string, MergeTexts>> = {
  'theirs is forgotten': async ({ mine }) => ({ text: mine, conflicts: [] }),
  'mine is overwritten': async ({ theirs }) => ({ text: theirs, conflicts: [] }),
  'a bracket is lost': async (texts) => {
    const { text, conflicts } = await mergeTypeScript(texts);
    return { text: text.replace('}', ''), conflicts };
  },
  'a comment is lost': async (texts) => {
    const { text, conflicts } = await mergeTypeScript(texts);
    return { text: text.replace(/\/\/ [Mm]ine.*/, ''), conflicts };
  },
  'a line more every time': async (texts) => {
    const { text, conflicts } = await mergeTypeScript(texts);
    return { text: `${text}// Merged.\n`, conflicts };
  },
};

test.each(Object.entries(planted))(
  'a merge is caught where %s',
  { timeout: 5 * minutes },
  async (_, merge) => {
    await expect(tally(merge, { isReformatted: false, numRuns: 300 })).rejects.toThrow(
      /Property failed/,
    );
  },
);

const byLines: MergeTexts = async (texts) => printStretches(mergeText(texts), labels);

test('a merge by lines is caught by its conflicts', { timeout: 5 * minutes }, async () => {
  const { conflict } = await tally(byLines, { isReformatted: false, numRuns: 200 });
  expect(conflict).toBeGreaterThan(200 * 0.005);
});

const hiding: MergeTexts = async (texts) => {
  const { text } = await mergeTypeScript(texts);
  return { text: takeSide(text, 'mine'), conflicts: [] };
};

test('a merge that hides its conflicts is caught', { timeout: 5 * minutes }, async () => {
  const file = files.find(({ name }) => name.endsWith('posts/routes.ts'));
  const collisions = file ? makeCollisions(file.before, file.after) : [];
  expect(await silent(hiding, collisions)).toHaveLength(collisions.length);
  expect(collisions.length).toBeGreaterThan(0);
});

const counting: MergeTexts = async (texts) => {
  const { text, conflicts } = await mergeTypeScript(texts);
  return { text: `${text}// ${texts.theirs.length}\n`, conflicts };
};

test('a merge that minds the way is caught', { timeout: 5 * minutes }, async () => {
  expect(await detours(counting)).not.toEqual([]);
});
