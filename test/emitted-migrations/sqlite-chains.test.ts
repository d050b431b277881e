import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Counts, runChain } from '../evolve/random/chain.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { type OwnCounts, type Owner, withOwnObjects } from './support/with-own-objects.ts';
import { openEmitted } from './support/open-emitted.ts';

/** `SEED=… npx vitest run test/emitted-migrations/sqlite-chains.test.ts` repeats a run. */
const seed = searchSeed();
const runs = trials({ quick: 4, full: 8, deep: 500 });

test('the runner of a project takes a database through random changes, with its rows', async () => {
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
])('and tells when $what', async ({ miswrite, message }) => {
  const found: unknown = await runChains(60, miswrite).catch(({ cause }) => cause);
  expect(String(found)).toMatch(message);
});

async function runChains(
  numRuns: number,
  miswrite?: (sql: string) => string,
  own?: Pick<Owner, 'counts' | 'kinds' | 'spoil'>,
): Promise<Counts> {
  const counts: Counts = { steps: 0, refused: 0, illegal: 0, reversed: 0, rows: 0 };
  const property = fc.asyncProperty(fc.gen(), (draw) =>
    runChain(draw, {
      engine: 'sqlite',
      open: async () => {
        const store = await openEmitted(miswrite);
        return own === undefined
          ? store
          : withOwnObjects(store, { draw, engine: 'sqlite', ...own });
      },
      counts,
    }),
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  return counts;
}

test('what an owner has made survives random changes, or stops them by its name', async () => {
  const own: OwnCounts = { survived: 0, stopped: 0 };
  const counts = await runChains(runs, undefined, { counts: own });
  say(
    `${runs} chains with objects of the owner on sqlite: ${JSON.stringify({ ...counts, ...own })}`,
  );
  expect(own.survived).toBeGreaterThan(runs / 2);
});

describe('one that goes in silence is caught:', () => {
  test('an index or a trigger that is not made again', async () => {
    expect(await faultOf(forgetOwn)).toMatch(/own_\d+ is gone/);
  });

  test.each([
    [
      'inlineConstraint',
      (name: string, table: string) => `ALTER TABLE "${table}" DROP COLUMN ${name}`,
      'gone',
    ],
    [
      'generatedColumn',
      (name: string, table: string) => `ALTER TABLE "${table}" DROP COLUMN ${name}`,
      'gone',
    ],
    ['view', (name: string) => `DROP VIEW ${name}`, 'gone'],
    ['virtualTable', (name: string) => `DROP TABLE ${name}`, 'gone'],
    [
      'virtualTable',
      (_: string, table: string) => `UPDATE "${table}" SET rowid = rowid + 1000`,
      'wrong',
    ],
  ])('%s', async (kind, spoil, outcome) => {
    const fault = await faultOf(undefined, { kinds: [kind], spoil });
    expect(fault).toMatch(new RegExp(`own_\\d+ is ${outcome}`));
  });
});

async function faultOf(
  miswrite?: (sql: string) => string,
  own?: Pick<Owner, 'kinds' | 'spoil'>,
): Promise<string> {
  const counts = { survived: 0, stopped: 0 };
  const run = runChains(60, miswrite, { counts, ...own });
  return String(await run.catch(({ cause }: Error) => cause));
}

function forgetOwn(sql: string): string {
  return sql.replace(/^INSERT INTO carried__objects[^;]*;$/gm, '');
}
