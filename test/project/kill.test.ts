import { beforeAll, describe, expect, test } from 'vitest';
import { say } from '../support/say.ts';
import { builtProgram } from './kill/program.ts';
import { makeScenarios, type Scenario } from './kill/scenarios.ts';
import { flawsAfter, tryWith } from './kill/trial.ts';

let scenarios: readonly Scenario[] = [];
beforeAll(async () => {
  scenarios = await makeScenarios();
  for (const { name, steps } of scenarios) say(`${name}: ${steps.length} steps`);
}, 120_000);

test('x', async () => {
  for (const scenario of scenarios) {
    const flaws = await flawsAfter(
      scenario,
      builtProgram,
      (await tryWith(scenario, builtProgram)).folder,
    );
    expect(flaws).toEqual([]);
    console.log(scenario.steps.join('\n'));
  }
}, 60_000);
