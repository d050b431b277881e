import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Counts, runChain } from '../evolve/random/chain.ts';
import { say } from '../support/say.ts';
import { trials } from '../support/trials.ts';
import { openEmitted } from './support/open-emitted.ts';

/** `SEED=… npx vitest run test/emitted-migrations/sqlite-chains.test.ts` repeats a run. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env['RUNS'] ?? trials({ quick: 12, deep: 1000 }));

test('random changes of populated databases, by the runner of an emitted project', async () => {
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runChain(draw, { engine: 'sqlite', open: openEmitted, counts }),
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  say(`${numRuns} chains by the emitted runner: ${JSON.stringify(counts)}`);
  expect(counts.steps).toBeGreaterThan(numRuns);
}, 1_200_000);
