import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyPlan } from '../../src/project/journal/apply-plan.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { trials } from '../support/trials.ts';
import { everyPoint, spread } from './kill/points.ts';
import { type Fault, runStep } from './kill/program.ts';
import { makeScenarios, type Scenario } from './kill/scenarios.ts';
import { copyOf, flawsAfter, tryWith } from './kill/trial.ts';
import { compareTrees, readTree, type Tree, withoutUndo, writeText } from './kill/tree.ts';

/** A deep run takes every step. */
const points = 4;
const rounds = trials({ quick: 1, full: 2, deep: 50 });

let updates: Scenario;
let moves: Scenario;
let undo: Scenario;
beforeAll(async () => {
  const all = await makeScenarios();
  const named = (start: string): Scenario => {
    const found = all.find(({ name }) => name.startsWith(start));
    if (!found) throw new Error(`There is no scenario of ${start}.`);
    return found;
  };
  updates = named('many files');
  moves = named('models renamed');
  undo = named('undo');
});

describe('a run that cannot continue undoes what it did, and says so', () => {
  test.each<[string, Omit<Fault, 'at'>]>([
    ['the disk is full from some step on', { what: 'full' }],
    ['a step is not permitted', { what: 'fail', code: 'EACCES' }],
    ['a step fails', { what: 'fail', code: 'EIO' }],
  ])('%s', async (name, fault) => {
    for (const scenario of [moves, undo]) {
      const struck = spread(scenario.steps.length, points);
      const flaws: string[] = [];
      await everyPoint(struck, async (at) => {
        const { folder, error, steps } = await tryWith(scenario, { ...fault, at });
        const flaw = (text: string) => flaws.push(`${at}, ${steps[at - 1]}: ${text}`);
        const found = withoutUndo(readTree(folder));
        const isBefore = compareTrees(withoutUndo(scenario.before), found).length === 0;
        const isAfter = compareTrees(withoutUndo(scenario.after), found).length === 0;
        // A run that is done may still be clearing up when something fails.
        if (!isBefore && !isAfter) flaw('half of it');
        if (error === undefined && !isAfter) flaw('said nothing');
        for (const it of await flawsAfter(scenario, folder)) flaw(it);
      });
      say(`${name}: ${scenario.name}, ${struck.length} points, ${flaws.length} flaws`);
      expect(flaws).toEqual([]);
    }
  });
});

describe('a file that is saved in an editor during a run is not lost', () => {
  test.each([
    ['one that is changed', 'many files', 'src/posts/schema.ts'],
    ['one that is deleted', 'models renamed', 'src/comments/queries.ts'],
    ['one that moves', 'models renamed', 'src/posts/queries.ts'],
    ['one that is new', 'models renamed', 'src/articles/queries.ts'],
  ])('%s', async (_, name, path) => {
    const scenario = name === 'many files' ? updates : moves;
    const flaws: string[] = [];
    // Between the last check and the rename nothing can be done.
    const isLast = (step: string) => step.endsWith(`→ ${path}`) || step === `unlink ${path}`;
    const struck = spread(scenario.steps.length, points).filter(
      (at) => !isLast(scenario.steps[at - 1] ?? ''),
    );
    await everyPoint(struck, async (at) => {
      const { folder, error } = await tryWith(scenario, { at, what: 'edit', path });
      const found = readTree(folder);
      const wanted = error === undefined ? scenario.after : scenario.before;
      const flaw = (text: string) => flaws.push(`${at}, ${scenario.steps[at - 1]}: ${text}`);
      if (!found.get(path)?.endsWith(' saved in an editor\n')) flaw('the edit is lost');
      for (const it of compareTrees(without(path, wanted), without(path, found))) flaw(it);
      rmSync(folder, { recursive: true });
    });
    expect(flaws).toEqual([]);
  });
});

describe('an obstacle that appeared after the run was planned is refused, and nothing is written', () => {
  test.each<[string, string, (folder: string, outside: string) => void]>([
    [
      'a link in place of a file',
      'SCF513',
      (folder, outside) => {
        renameSync(join(folder, file), join(outside, 'schema.ts'));
        symlinkSync(join(outside, 'schema.ts'), join(folder, file));
      },
    ],
    [
      'a link in place of its folder',
      'SCF513',
      (folder, outside) => {
        renameSync(join(folder, dirname(file)), join(outside, 'posts'));
        symlinkSync(join(outside, 'posts'), join(folder, dirname(file)));
      },
    ],
    [
      'a folder in place of a file',
      'SCF513',
      (folder) => {
        rmSync(join(folder, file));
        mkdirSync(join(folder, file));
      },
    ],
    [
      'a file in place of a folder',
      'SCF513',
      (folder) => {
        rmSync(join(folder, dirname(file)), { recursive: true });
        writeText(folder, dirname(file), '');
      },
    ],
  ])('%s', async (_, code, obstruct) => {
    const folder = copyOf(updates.template);
    const outside = await scratchFolder('outside');
    obstruct(folder, outside);
    const [before, around] = [readTree(folder), readTree(outside)];
    const plan = JSON.parse(readFileSync(updates.plan, 'utf8'));
    await expect(applyPlan(folder, plan)).rejects.toMatchObject({ code });
    expect(compareTrees(before, readTree(folder))).toEqual([]);
    expect(compareTrees(around, readTree(outside))).toEqual([]);
  });
});

test('of several runs at once one does its work, and the others say why not', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const folder = copyOf(moves.template);
    const job = { ...moves, folder } as const;
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((log) => runStep({ ...job, log: `${folder}.${log}` })),
    );
    const errors = outcomes.flatMap(({ error }) => error?.split(':')[0] ?? []);
    expect(errors.filter((code) => code !== 'SCF505' && code !== 'SCF513')).toEqual([]);
    expect(errors).toHaveLength(3);
    expect(compareTrees(moves.after, readTree(folder))).toEqual([]);
  }
});

const file = 'src/posts/schema.ts';

/** A tree without a file and the folders that it is in. */
function without(path: string, tree: Tree): Tree {
  return new Map([...tree].filter(([other]) => path !== other && !path.startsWith(`${other}/`)));
}
