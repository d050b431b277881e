import { expect, test } from 'vitest';
import { drawnRules } from '../support/drawn-rules.ts';
import { emitted, engines, seed } from '../support/access.ts';
import { failuresOfOwnTests } from '../support/failures-of-own-tests.ts';
import { say } from '../support/say.ts';
import { isDeep, trials } from '../support/trials.ts';

const inProject = isDeep ? 3 : 1;
const projects = trials({ quick: 1, full: 1, deep: 20 });

test.each(Array.from({ length: projects }, (_, round) => [round]))(
  'the own tests of rules drawn at random pass, project %i',
  async (round) => {
    const engine = engines[round % 2] ?? 'sqlite';
    say(`own tests of rules at random: SEED=${seed}, project ${round} on ${engine}`);
    const { text } = drawnRules(seed + round, inProject);
    const { folder } = await emitted(text, engine);
    // Signing in is tested in all other projects.
    const rules = '--exclude=test/auth/**';
    expect(await failuresOfOwnTests(folder, engine, rules), text).toBe('');
  },
);
