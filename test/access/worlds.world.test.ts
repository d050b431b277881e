import { describe, expect, test } from 'vitest';
import { differences, drawn, engines, seed } from '../support/access.ts';
import { say } from '../support/say.ts';
import { trials } from '../support/trials.ts';

const inProject = 25;
const projects = trials({ quick: 1, full: 6, deep: 60 });

describe.each(engines)('rules drawn at random on %s', (engine) => {
  test(`${projects * inProject} worlds answer as the oracle does`, async () => {
    for (let round = 0; round < projects; round++) {
      say(`rules at random: SEED=${seed}, project ${round} on ${engine}`);
      const folder = await drawn(seed + round, engine, { count: inProject, changes: 40 });
      const found = await differences(folder, engine);
      expect(found, `SEED=${seed + round} RUNS=1 draws it again`).toBe('');
    }
  });
});
