import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { printChunks, takeSide } from '../../src/merge/markers.ts';
import { mergeText } from '../../src/merge/text.ts';
import { say } from '../support/say.ts';
import { isDeep, isFull, searchSeed, trials } from '../support/trials.ts';
import { readChangedFiles } from './support/changed-files.ts';
import { makeCollisions, type Collision } from './support/collisions.ts';
import {
  judge,
  lostWords,
  drawTrials,
  makeTrial,
  mergeFile,
  type MergeTexts,
  type Outcome,
  type Sample,
  type Trial,
} from './support/trial.ts';

/** `SEED=… npx vitest run test/merge` repeats a run. */
const seed = searchSeed();
const counts = {
  plain: trials({ quick: 20, full: 1400, deep: 70_000 }),
  hard: trials({ quick: 10, full: 300, deep: 20_000 }),
  reformatted: trials({ quick: 8, full: 300, deep: 15_000 }),
  // Each makes two apps: more of them would take longer than the trials.
  random: Math.min(400, trials({ quick: 5, full: 10, deep: 400 })),
};
const files = readChangedFiles({ seed, random: counts.random, pairs: isFull ? 1 : 6 });
say(`merge: SEED=${seed}, ${files.length} changed files`);

type Kinds = Pick<Sample, 'among' | 'isReformatted'>;

/** Judges merges of random edits; answers how often each outcome came. */
async function tally(
  merge: MergeTexts,
  { numRuns, ...kinds }: Kinds & { numRuns: number },
): Promise<Record<Outcome, number>> {
  const outcomes = { same: 0, order: 0, conflict: 0, wrong: 0 };
  for await (const trial of drawTrials(files, { seed, count: numRuns, ...kinds })) {
    const problem = await problemOf(merge, trial, outcomes);
    if (problem) throw new Error(`${trial.name}: ${problem}`);
  }
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
  const again = await merge({ ...trial, base: trial.theirs, ours: merged.text });
  return again.text === merged.text ? undefined : 'the second run changed something';
}

const plain = { among: 'plain', isReformatted: false } as const;

test('edits and changes that commute are merged', async () => {
  const { conflict, order } = await tally(mergeFile, { ...plain, numRuns: counts.plain });
  say(`commuting edits: ${conflict} conflicts, ${order} in another order, of ${counts.plain}`);
  expect(conflict).toBeLessThanOrEqual(allowed(counts.plain, 0.005));
  expect(order).toBeLessThanOrEqual(allowed(counts.plain, 0.03));
});

test('edits that mention their neighbours lose nothing', async () => {
  const kinds = { among: 'hard', isReformatted: false } as const;
  const { conflict } = await tally(mergeFile, { ...kinds, numRuns: counts.hard });
  say(`edits that mention their neighbours: ${conflict} conflicts of ${counts.hard}`);
  expect(conflict).toBeLessThanOrEqual(allowed(counts.hard, 0.05));
});

test('the same holds after another formatter', async () => {
  const kinds = { among: 'plain', isReformatted: true } as const;
  const { conflict, order } = await tally(mergeFile, { ...kinds, numRuns: counts.reformatted });
  say(`after another formatter: ${conflict} conflicts of ${counts.reformatted}`);
  expect(conflict).toBeLessThanOrEqual(allowed(counts.reformatted, 0.01));
  expect(order).toBeLessThanOrEqual(allowed(counts.reformatted, 0.03));
});

/** A share of a small sample may be over it by chance: three standard deviations more are allowed. */
function allowed(count: number, share: number): number {
  return count * share + 3 * Math.sqrt(count * share);
}

test('collisions are never merged silently', async () => {
  const among = isFull ? files : files.filter((_, at) => at % 6 === 0);
  const collisions = among.flatMap(makeCollisions);
  const numRuns = isFull ? 200 : 60;
  expect(collisions.length).toBeGreaterThanOrEqual(5 * numRuns);
  const tried = isDeep ? collisions : fc.sample(fc.constantFrom(...collisions), { seed, numRuns });
  expect(await silent(mergeFile, tried)).toEqual([]);
});

async function silent(merge: MergeTexts, collisions: readonly Collision[]): Promise<string[]> {
  const found: string[] = [];
  for (const collision of collisions) {
    const { conflicts, text } = await merge(collision);
    if (conflicts.length === 0 && !(await isCarried(collision, text)))
      found.push(`${collision.name}:\n${collision.ours}`);
  }
  return found;
}

/** What theirs has in another shape or place took the edit along: without it the text is theirs, and nothing was lost. */
async function isCarried({ base, ours, theirs }: Collision, text: string): Promise<boolean> {
  let start = 0;
  while (start < base.length && base[start] === ours[start]) start += 1;
  const shared = Math.min(base.length, ours.length) - start;
  let end = 0;
  while (end < shared && base.at(-1 - end) === ours.at(-1 - end)) end += 1;
  const edit = ours.slice(start, ours.length - end);
  if (edit === '' || !text.includes(edit)) return false;
  const undone = text.replace(edit, () => base.slice(start, base.length - end));
  const merged = { text: undone, conflicts: [] };
  return (await judge({ kind: 'ts', expected: theirs }, merged)) !== 'wrong';
}

test('two changes one after the other are the same as both at once', async () => {
  expect(await detours(mergeFile, changes)).toEqual([]);
});

const changes = files.filter(({ name }) => name.includes(' + '));

/** Where before → half → after gives something other than before → after. */
async function detours(merge: MergeTexts, among: typeof changes): Promise<string[]> {
  const found: string[] = [];
  for (const file of among) {
    const [first = '', path = ''] = file.name.split(/ \+ .*: /);
    const half = files.find(({ name }) => name === `${first}: ${path}`);
    const dice = [{ kind: file.after.length, place: file.before.length, detail: 7 }];
    const trial = await makeTrial({ file, dice, ...plain });
    if (!half || !trial) continue;
    const straight = await merge(trial);
    const between = await merge({ ...trial, theirs: half.after });
    const around = await merge({ ...trial, base: half.after, ours: between.text });
    const back = await merge({
      ...trial,
      base: half.after,
      ours: between.text,
      theirs: trial.base,
    });
    if (straight.conflicts.length + between.conflicts.length > 0) continue;
    if (
      around.conflicts.length === 0 &&
      (await judge({ ...trial, expected: straight.text }, around)) === 'wrong'
    )
      found.push(trial.name);
    if (
      back.conflicts.length === 0 &&
      (await judge({ ...trial, expected: trial.ours }, back)) === 'wrong'
    )
      found.push(`${trial.name}: and back`);
  }
  return found;
}

const planted: Readonly<Record<string, MergeTexts>> = {
  'theirs is forgotten': async ({ ours }) => ({ text: ours, conflicts: [] }),
  'ours is overwritten': async ({ theirs }) => ({ text: theirs, conflicts: [] }),
  'a bracket is lost': async (texts) => {
    const { text, conflicts } = await mergeFile(texts);
    return { text: text.replace('}', ''), conflicts };
  },
  'a comment is lost': async (texts) => {
    const { text, conflicts } = await mergeFile(texts);
    return { text: text.replace(/\/\/ [Mm]ine.*/, ''), conflicts };
  },
  'a line more every time': async (texts) => {
    const { text, conflicts } = await mergeFile(texts);
    return { text: `${text}// Merged.\n`, conflicts };
  },
};

test.each(Object.entries(planted))('a merge is caught where %s', async (_, merge) => {
  await expect(tally(merge, { ...plain, numRuns: 300 })).rejects.toThrow(
    /not what the edits|lost|the second run/,
  );
});

const byLines: MergeTexts = async (texts) => printChunks(mergeText(texts));

test('a merge by lines is caught by its conflicts, or by what it makes', async () => {
  const isCaught = await tally(byLines, { ...plain, numRuns: 200 }).then(
    ({ conflict }) => conflict > allowed(200, 0.005),
    () => true,
  );
  expect(isCaught).toBe(true);
});

const hiding: MergeTexts = async (texts) => {
  const { text } = await mergeFile(texts);
  return { text: takeSide(text, 'ours'), conflicts: [] };
};

test('a merge that hides its conflicts is caught', async () => {
  const file = files.find(({ name }) => name.endsWith('posts/routes.ts'));
  const collisions = file ? makeCollisions(file) : [];
  expect(await silent(hiding, collisions)).toHaveLength(collisions.length);
  expect(collisions.length).toBeGreaterThan(0);
});

const counting: MergeTexts = async (texts) => {
  const { text, conflicts } = await mergeFile(texts);
  return { text: `${text}// ${texts.theirs.length}\n`, conflicts };
};

test('a merge that depends on the path is caught', async () => {
  expect(await detours(counting, changes.slice(0, 20))).not.toEqual([]);
});
