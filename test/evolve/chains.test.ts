import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Counts, runChain } from './random/chain.ts';
import { openSqlite } from './random/open-sqlite.ts';

/** `SEED=… npx vitest run test/evolve/chains.test.ts` repeats a run. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env['RUNS'] ?? (process.env['DEEP'] === '1' ? 10_000 : 500));

test('a SQLite database that was migrated is the one that would have been made, with its rows', async () => {
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runChain(draw, { engine: 'sqlite', open: () => openSqlite(), counts }),
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  process.stdout.write(`chains: ${JSON.stringify(counts)}\n`);
  expect(counts.steps).toBeGreaterThan(numRuns);
  expect(counts.refused).toBeGreaterThan(numRuns / 10);
}, 600_000);
