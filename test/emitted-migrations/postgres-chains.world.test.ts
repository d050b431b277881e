import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Counts, runChain } from '../evolve/random/chain.ts';
import { freshDatabase } from '../support/postgres.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { type OwnCounts, withOwnObjects } from './support/with-own-objects.ts';
import { openEmitted } from './postgres/open-emitted.ts';

/** `SEED=… npx vitest run test/emitted-migrations/postgres-chains.test.ts` repeats a run. */
const seed = searchSeed();
const runs = trials({ quick: 2, full: 8, deep: 1000 });

test('the runner of a project takes a database through random changes, with its rows', async () => {
  const counts = await runChains(runs);
  say(`${runs} chains by the emitted runner on postgres: ${JSON.stringify(counts)}`);
  expect(counts.steps).toBeGreaterThan(runs);
  // A few chains may happen to lack one or the other.
  if (runs < 50) return;
  expect(counts.refused).toBeGreaterThan(runs / 10);
  expect(counts.reversed).toBeGreaterThan(runs / 10);
});

test('an index that a migration forgets is missed', async () => {
  const found: unknown = await runChains(60, withoutIndexes).catch(({ cause }) => cause);
  expect(String(found)).toMatch(
    /would not be what migrations\/schema.sql says:\n {2}The index \S+ is missing/,
  );
});

function withoutIndexes(sql: string): string {
  return sql.replace(/^(DROP|CREATE)( UNIQUE)? INDEX CONCURRENTLY .*$/gm, '');
}

async function runChains(
  numRuns: number,
  edit?: (sql: string) => string,
  own?: OwnCounts,
): Promise<Counts> {
  const url = await freshDatabase();
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runChain(draw, {
      engine: 'postgres',
      open: async () => {
        const store = await openEmitted(url, edit);
        return own === undefined ? store : withOwnObjects(store, draw, 'postgres', own);
      },
      counts,
    }),
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  return counts;
}

test('what an owner has made survives random changes, or stops them by its name', async () => {
  const own: OwnCounts = { survived: 0, stopped: 0 };
  const counts = await runChains(runs, undefined, own);
  say(
    `${runs} chains with objects of the owner on postgres: ${JSON.stringify({ ...counts, ...own })}`,
  );
  expect(own.survived).toBeGreaterThan(runs / 2);
});

test('one that goes in silence is caught', async () => {
  const found: unknown = await runChains(60, forgetOwn, { survived: 0, stopped: 0 }).catch(
    ({ cause }) => cause,
  );
  expect(String(found)).toMatch(/own_\d+ is gone/);
});

/** Where the SQL speaks of everything, nothing goes unnamed. */
function forgetOwn(sql: string): string {
  return `${sql}\n-- ${Array.from({ length: 5000 }, (_, at) => `own_${at}`).join(' ')}\n`;
}
