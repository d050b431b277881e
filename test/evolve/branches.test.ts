import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HistoryAndSchema, type Join, joinHeads } from '../../src/evolve/heads/join-heads.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { isDeep, searchSeed, trials } from '../support/trials.ts';
import { type BranchCounts, runBranches } from './random/branches.ts';
import { openStore } from './support/open-store.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** `SEED=… npx vitest run test/evolve/branches.test.ts` repeats a run. */
const seed = searchSeed();
const runs = trials({ quick: 10, full: 40, deep: 1000 });

test('the databases of two merged SQLite branches end up the same, and keep their rows', async () => {
  await runAll('sqlite', runs);
});

test('the databases of two merged PostgreSQL branches end up the same, and keep their rows', async () => {
  await runAll('postgres', Math.ceil(runs / 5));
});

describe('the property catches', () => {
  // From the seed of the rest, it takes a long time until the second one is drawn.
  const soon = isDeep ? seed : 5;
  const planted: readonly [string, (histories: HistoryAndSchema) => Join, number][] = [
    ['every migration treated as one that only adds', (it) => joinHeads(asAdditions(it)), seed],
    ['their migrations left where they were', (it) => ({ ...joinHeads(it), edits: [] }), soon],
  ];

  test.each(planted)('%s', async (_, join, from) => {
    await expect(runAll('sqlite', 60, join, from)).rejects.toThrow('Property failed');
  });
});

function asAdditions({ migrations, ...histories }: HistoryAndSchema): HistoryAndSchema {
  return { ...histories, migrations: migrations.map((it) => ({ ...it, isAddition: true })) };
}

async function runAll(
  engine: Engine,
  numRuns: number,
  join = joinHeads,
  from = seed,
): Promise<void> {
  const counts: BranchCounts = { illegal: 0, linked: 0, chosen: 0, refused: 0, rows: 0 };
  const folder = await scratchFolder(`branches-${engine}`);
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runBranches(draw, { engine, open: () => openStore(engine), folder, counts, join }),
  );
  await fc.assert(property, { seed: from, numRuns, endOnFailure: true });
  say(`${numRuns} pairs of branches on ${engine}: ${JSON.stringify(counts)}`);
  expect(counts.chosen).toBeGreaterThanOrEqual(Math.floor(numRuns / 5));
  expect(counts.linked).toBeGreaterThanOrEqual(Math.floor(numRuns / 50));
}
