import { describe, expect, test } from 'vitest';
import { differences, drawn, engines, seed } from '../support/access.ts';
import { say } from '../support/say.ts';
import { trials } from '../support/trials.ts';

const inProject = 25;
const projects = trials({ quick: 1, full: 1, deep: 60 });

describe.each(engines)('rules drawn at random on %s', (engine) => {
  test(`${projects * inProject} worlds answer as the oracle does`, async () => {
    for (let round = 0; round < projects; round++) {
      // Each engine has worlds of its own, so that twice as many are tried.
      const from = seed + 2 * round + engines.indexOf(engine);
      say(`rules at random: SEED=${from} on ${engine}`);
      const folder = await drawn(from, engine, { count: inProject, changes: 40 });
      expect(await differences(folder, engine), `of SEED=${from} on ${engine}`).toBe('');
    }
  });
});
