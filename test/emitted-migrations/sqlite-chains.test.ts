import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Counts, runChain } from '../evolve/random/chain.ts';
import { say } from '../support/say.ts';
import { isDeep, searchSeed, trials } from '../support/trials.ts';
import { noneYet, type Owner, ownKinds, withOwnObjects } from './support/with-own-objects.ts';
import { type HandWrittenCounts, withHandWritten } from './support/with-hand-written.ts';
import { openEmitted } from './support/open-emitted.ts';

/** `SEED=… npx vitest run test/emitted-migrations/sqlite-chains.test.ts` repeats a run. */
const seed = searchSeed();
const runs = trials({ quick: 4, full: 24, deep: 500 });
const kinds = Object.keys(ownKinds.sqlite).toSorted();

test('the runner of a project takes a database through random changes, and keeps its rows', async () => {
  const counts = await runChains(runs);
  say(`${runs} chains by the emitted runner on sqlite: ${JSON.stringify(counts)}`);
  expect(counts.steps).toBeGreaterThan(runs);
});

test.each([
  {
    what: 'an index is forgotten',
    miswrite: (sql: string) => sql.replace(/^CREATE (UNIQUE )?INDEX .*$/gm, ''),
    message: /would not be what migrations\/schema\.sql says:\n {2}The index \S+ is missing/,
  },
  {
    what: 'rows are forgotten',
    miswrite: (sql: string) => sql.replace(/^((SELECT .* )?FROM \S+);$/gm, '$1 LIMIT 0;'),
    message: /\w+ had \d+ rows, \w+ would have 0/,
  },
])('and reports it when $what', async ({ miswrite, message }) => {
  const found: unknown = await runChains(60, miswrite).catch(({ cause }) => cause);
  expect(String(found)).toMatch(message);
});

async function runChains(
  numRuns: number,
  miswrite?: (sql: string) => string,
  own?: Pick<Owner, 'counts' | 'kinds' | 'spoil'>,
  hand?: Hand,
): Promise<Counts> {
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runChain(draw, {
      engine: 'sqlite',
      open: async () => {
        const store = await openEmitted(miswrite);
        if (hand !== undefined) return withHandWritten(store, { draw, engine: 'sqlite', ...hand });
        return own === undefined
          ? store
          : withOwnObjects(store, { draw, engine: 'sqlite', ...own });
      },
      counts,
    }),
  );
  await fc.assert(property, { seed: hand?.from ?? seed, numRuns, endOnFailure: true });
  return counts;
}

test('what an owner has made survives random changes, or they stop and name it', async () => {
  const own = noneYet();
  const counts = await runChains(runs, undefined, { counts: own });
  say(
    `${runs} chains with objects of the owner on sqlite: ${JSON.stringify({ ...counts, ...own, made: Object.fromEntries(own.made) })}`,
  );
  expect(own.survived).toBeGreaterThan(runs / 2);
  // A few chains do not draw every kind.
  if (runs >= 50) expect([...own.made.keys()].toSorted()).toEqual(kinds);
});

describe('an object that is lost without a word is caught:', () => {
  test('an index or a trigger that is not created again', async () => {
    expect(await faultOf(forgetOwn)).toMatch(/own_\d+ is gone/);
  });

  test.each(kinds)('%s', async (kind) => {
    expect(await faultOf(undefined, { kinds: [kind], spoil: 'drop' })).toMatch(/own_\d+ is gone/);
  });

  test('a virtualTable whose rows have other numbers', async () => {
    const fault = await faultOf(undefined, { kinds: ['virtualTable'], spoil: moveRows });
    expect(fault).toMatch(/own_\d+ is wrong/);
  });
});

async function faultOf(
  miswrite?: (sql: string) => string,
  own?: Pick<Owner, 'kinds' | 'spoil'>,
): Promise<string> {
  const counts = noneYet();
  const run = runChains(60, miswrite, { counts, ...own });
  return String(await run.catch(({ cause }: Error) => cause));
}

function moveRows(table: string): string {
  return `UPDATE "${table}" SET rowid = rowid + 1000`;
}

function forgetOwn(sql: string): string {
  return sql.replace(/^INSERT INTO carried__objects[^;]*;$/gm, '');
}

interface Hand {
  readonly counts: HandWrittenCounts;
  readonly miswrite?: (sql: string) => string;
  /** The seed that its search begins with. */
  readonly from?: number;
}

test('what an owner writes between migrations is done as written, or not at all', async () => {
  const hand: HandWrittenCounts = { written: 0, rejected: 0 };
  const counts = await runChains(runs, undefined, undefined, { counts: hand });
  say(
    `${runs} chains with SQL of the owner in between on sqlite: ${JSON.stringify({ ...counts, ...hand })}`,
  );
  expect(hand.written).toBeGreaterThan(0);
});

test.each([
  ['is lost', (sql: string) => sql.replace(/^INSERT INTO mine.*$/m, ''), /mine holds/],
  ['is cut at a `;` in a text', (sql: string) => sql.replace("; END; COMMIT'", "'"), /mine holds/],
  ['ends its transaction', (sql: string) => sql.replace(/^(.*;)\s*(COMMIT|end);/, '$1'), /applied/],
])('SQL of the owner that %s is caught', async (_, miswrite, message) => {
  const counts = { written: 0, rejected: 0 };
  // The first chain from this seed writes everything that these tests need; from the seed of the others it is the tenth.
  const from = isDeep ? seed : 12;
  const run = runChains(60, undefined, undefined, { counts, miswrite, from });
  expect(String(await run.catch(({ cause }: Error) => cause))).toMatch(message);
});
