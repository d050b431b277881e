import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/project/plan.ts';
import { say } from '../support/say.ts';
import { everyPoint, spread } from './kill/points.ts';
import { type Bug, copiedProgram, runStep } from './kill/program.ts';
import { makeScenarios, type Scenario } from './kill/scenarios.ts';
import { copyOf, flawsAfter, tryWith } from './kill/trial.ts';
import { compareTrees, withoutUndo } from './kill/tree.ts';

/** A deep run takes every step. */
const points = { kill: 5, cut: 2, again: 2 };

let scenarios: readonly Scenario[] = [];
beforeAll(async () => {
  scenarios = await makeScenarios();
  for (const { name, steps } of scenarios) say(`${name}: ${steps.length} steps`);
});

describe('killed at any step, a run is undone or complete after the next command', () => {
  test('five scenarios have 200 steps and more', () => {
    expect(scenarios.filter(({ steps }) => steps.length > 200)).toHaveLength(5);
  });

  test('a run does what was planned, and undo restores everything', () => {
    for (const { name, plan, after } of scenarios) {
      const { changes }: Plan = JSON.parse(readFileSync(plan, 'utf8'));
      const texts = changes.map(({ path, after: text }) => [path, text] as const);
      const written = texts.map(([path]) => [path, after.get(path)?.replace(/^\d+ /, '')] as const);
      expect(written, name).toEqual(texts.map(([path, text]) => [path, bytesOf(text)] as const));
    }
    const former = withoutUndo(named('models renamed').before);
    expect(compareTrees(former, withoutUndo(named('undo').after))).toEqual([]);
  });

  test.each([
    ['by SIGKILL', 'kill'],
    ['by a power cut, which takes what was not synced', 'cut'],
  ] as const)('%s', async (_, what) => {
    for (const scenario of scenarios) {
      const struck = spread(scenario.steps.length, points[what]);
      const flaws = await flawsAt(scenario, { what, struck });
      say(`${scenario.name}: ${what} at ${struck.length} points, ${flaws.length} flaws`);
      expect(flaws, scenario.name).toEqual([]);
    }
  });

  test('so is a run whose recovery is killed at any step', async () => {
    for (const first of firstEnds(named('models renamed'))) {
      const scenario = named('models renamed');
      const ended = await tryWith(scenario, { at: first, what: 'kill' });
      const recovery = { ...scenario, action: 'recover', template: ended.folder } as const;
      const { steps } = await runStep({
        ...recovery,
        folder: copyOf(ended.folder),
      });
      const struck = spread(steps.length, points.again);
      const flaws = await flawsAt({ ...recovery, steps }, { what: 'kill', struck });
      say(`ended at ${first}, then recovery at ${struck.length} of ${steps.length} points`);
      expect(flaws, `ended at ${first}`).toEqual([]);
    }
  });
});

describe('the harness finds a bug', () => {
  test.each<[string, Bug, 'kill' | 'cut']>([
    [
      'no journal',
      { file: 'project/journal/apply-plan.js', from: 'await writeJournal(home, journal);', to: '' },
      'kill',
    ],
    [
      'files written in place',
      {
        file: 'project/journal/replay.js',
        from: 'await fs.rename(staged, target);',
        to: 'await fs.copyFile(staged, target); await fs.unlink(staged);',
      },
      'kill',
    ],
    [
      'content that is not synced',
      { file: 'project/journal/durable.js', from: 'await handle.sync();', to: '' },
      'cut',
    ],
    [
      'a lock that outlives its process',
      {
        file: 'project/journal/run-lock.js',
        from: 'if (holder && isAlive(holder))',
        to: 'if (holder)',
      },
      'kill',
    ],
  ])('%s', async (_, bug, what) => {
    const program = await copiedProgram(bug);
    const scenario = { ...named('many files'), program };
    const struck = commitSteps(scenario);
    const found = await flawsAt(scenario, { what, struck });
    expect(found).not.toEqual([]);
  });
});

/** As a tree has it. */
function bytesOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text).toString('latin1');
}

interface Blows {
  readonly what: 'kill' | 'cut';
  readonly struck: readonly number[];
}

/** What is wrong after the next command, with the step that was the last. */
async function flawsAt(scenario: Scenario, { what, struck }: Blows): Promise<string[]> {
  const found: string[] = [];
  await everyPoint(struck, async (at) => {
    const { folder, isKilled, steps } = await tryWith(scenario, { at, what });
    const flaws = await flawsAfter(scenario, folder).catch((error) => [String(error)]);
    const all = isKilled ? flaws : ['it was not ended', ...flaws];
    if (all.length > 0) found.push(`${at}, ${steps.at(-1)}: ${all.slice(0, 3).join('; ')}`);
  });
  return found;
}

function named(start: string): Scenario {
  const found = scenarios.find(({ name }) => name.startsWith(start));
  if (!found) throw new Error(`There is no scenario of ${start}.`);
  return found;
}

/** Some in a row, while files are put in their places. */
function commitSteps({ steps }: Scenario): readonly number[] {
  const places = steps.flatMap((step, index) =>
    /^rename .*run\/new/.test(step) ? [index + 1] : [],
  );
  const middle = places[Math.floor(places.length / 2)] ?? 1;
  return Array.from({ length: 4 }, (_, index) => middle + index);
}

/** When everything is staged, in the middle of the files, before the record, and while the run clears up. */
function firstEnds({ steps }: Scenario): readonly number[] {
  const at = (step: RegExp) => steps.findIndex((it) => step.test(it)) + 1;
  const commits = steps.flatMap((step, index) =>
    /^(rename|unlink) /.test(step) ? [index + 1] : [],
  );
  const middle = commits[Math.floor(commits.length / 2)] ?? 1;
  return [at(/^sync .scaffold.run$/), middle, at(/lock\.json$/), steps.length - 1];
}
