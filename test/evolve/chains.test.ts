import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/model/app.ts';
import { freshDatabase } from '../support/postgres.ts';
import { say } from '../support/say.ts';
import { type Counts, runChain } from './random/chain.ts';
import { openPostgres } from './random/open-postgres.ts';
import { openSqlite } from './random/open-sqlite.ts';
import type { Store } from './random/store.ts';

/** `SEED=… npx vitest run test/evolve/chains.test.ts` repeats a run. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env['RUNS'] ?? (process.env['DEEP'] === '1' ? 10_000 : 500));

test('a SQLite database that was migrated is the one that would have been made, with its rows', async () => {
  await runChains({ engine: 'sqlite', numRuns: runs, open: openSqlite });
}, 1_200_000);

test('a PostgreSQL database that was migrated is the one that would have been made, with its rows', async () => {
  const url = await freshDatabase();
  await runChains({
    engine: 'postgres',
    numRuns: Math.ceil(runs / 5),
    open: () => openPostgres(url),
  });
}, 1_200_000);

interface Options {
  readonly engine: Engine;
  readonly numRuns: number;
  readonly open: () => Promise<Store>;
}

async function runChains({ engine, numRuns, open }: Options): Promise<void> {
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) => runChain(draw, { engine, open, counts }));
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  say(`${numRuns} chains on ${engine}: ${JSON.stringify(counts)}`);
  expect(counts.steps).toBeGreaterThan(numRuns);
  expect(counts.refused).toBeGreaterThan(numRuns / 10);
  expect(counts.reversed).toBeGreaterThan(numRuns / 10);
}
