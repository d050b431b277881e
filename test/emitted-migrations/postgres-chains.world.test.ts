import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Counts, runChain } from '../evolve/random/chain.ts';
import { freshDatabase } from '../support/postgres.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { noneYet, type Owner, ownKinds, withOwnObjects } from './support/with-own-objects.ts';
import { type HandWrittenCounts, withHandWritten } from './support/with-hand-written.ts';
import { openEmitted } from './postgres/open-emitted.ts';

/** `SEED=… npx vitest run test/emitted-migrations/postgres-chains.test.ts` repeats a run. */
const seed = searchSeed();
const runs = trials({ quick: 2, full: 4, deep: 1000 });
const kinds = Object.keys(ownKinds.postgres).toSorted();

test('the runner of a project takes a database through random changes, and keeps its rows', async () => {
  const counts = await runChains(runs);
  say(`${runs} chains by the emitted runner on postgres: ${JSON.stringify(counts)}`);
  expect(counts.steps).toBeGreaterThan(0);
  // With few chains, all may be short, or none may be refused or reversed.
  if (runs < 50) return;
  expect(counts.steps).toBeGreaterThan(runs);
  expect(counts.refused).toBeGreaterThan(runs / 10);
  expect(counts.reversed).toBeGreaterThan(runs / 10);
});

test('an index that a migration forgets is reported as missing', async () => {
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
  own?: Pick<Owner, 'counts' | 'kinds' | 'spoil'>,
  hand?: Hand,
): Promise<Counts> {
  const url = await freshDatabase();
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runChain(draw, {
      engine: 'postgres',
      open: async () => {
        const store = await openEmitted(url, edit);
        if (hand !== undefined)
          return withHandWritten(store, { draw, engine: 'postgres', ...hand });
        return own === undefined
          ? store
          : withOwnObjects(store, { draw, engine: 'postgres', ...own });
      },
      counts,
    }),
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  return counts;
}

test('what an owner has made survives random changes, or they stop and name it', async () => {
  const own = noneYet();
  const counts = await runChains(runs, undefined, { counts: own });
  say(
    `${runs} chains with objects of the owner on postgres: ${JSON.stringify({ ...counts, ...own, made: Object.fromEntries(own.made) })}`,
  );
  expect(own.survived).toBeGreaterThan(runs / 2);
  // A few chains do not draw every kind.
  if (runs >= 50) expect([...own.made.keys()].toSorted()).toEqual(kinds);
});

describe('an object that is lost without a word is caught:', () => {
  test('a part of a table that is dropped with a column', async () => {
    expect(await faultOf(forgetOwn)).toMatch(/own_\d+ is gone/);
  });

  test.each(kinds)('%s', async (kind) => {
    expect(await faultOf(undefined, { kinds: [kind], spoil: 'drop' })).toMatch(/own_\d+ is gone/);
  });
});

async function faultOf(
  edit?: (sql: string) => string,
  own?: Pick<Owner, 'kinds' | 'spoil'>,
): Promise<string> {
  const counts = noneYet();
  const run = runChains(60, edit, { counts, ...own });
  return String(await run.catch(({ cause }: Error) => cause));
}

/** SQL that names everything: what is then lost counts as agreed to. */
function forgetOwn(sql: string): string {
  return `${sql}\n-- ${Array.from({ length: 5000 }, (_, at) => `own_${at}`).join(' ')}\n`;
}

interface Hand {
  readonly counts: HandWrittenCounts;
  readonly miswrite?: (sql: string) => string;
}

test('what an owner writes between migrations is done as written, or not at all', async () => {
  const hand: HandWrittenCounts = { written: 0, rejected: 0 };
  const counts = await runChains(runs, undefined, undefined, { counts: hand });
  say(
    `${runs} chains with SQL of the owner in between on postgres: ${JSON.stringify({ ...counts, ...hand })}`,
  );
  expect(hand.written).toBeGreaterThan(0);
});

test.each([
  ['is lost', (sql: string) => sql.replace(/^INSERT INTO mine.*$/m, ''), /mine holds/],
  ['is cut at a `;` in a text', (sql: string) => sql.replace("; END; COMMIT'", "'"), /mine holds/],
  ['ends its transaction', (sql: string) => sql.replace(/^(.*;)\s*(COMMIT|end);/, '$1'), /applied/],
])('SQL of the owner that %s is caught', async (_, miswrite, message) => {
  const counts = { written: 0, rejected: 0 };
  const run = runChains(60, undefined, undefined, { counts, miswrite });
  expect(String(await run.catch(({ cause }: Error) => cause))).toMatch(message);
});
