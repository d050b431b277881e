import { describe, expect, test } from 'vitest';
import { say } from '../support/say.ts';
import { isDeep } from '../support/trials.ts';
import { evolved } from './support/history.ts';
import { million, plantMillion, sumsOf } from './support/million.ts';
import { firstTree, lastId, treeSchema } from './support/tree.ts';

const wider = evolved(firstTree, treeSchema('string(..30)', ', size: { type: int, backfill: 7 }'));

describe.runIf(isDeep)('a table of a million rows', () => {
  test('is rebuilt with every row', async () => {
    const tree = await plantMillion();
    const sums = sumsOf(tree);
    await tree.put(wider);
    const start = performance.now();
    expect(await tree.up()).toEqual([lastId(wider)]);
    say(`a million rows: ${((performance.now() - start) / 1000).toFixed(1)} s, copy included`);
    expect(sumsOf(tree)).toEqual(sums);
    expect(tree.all('SELECT count(*) FROM nodes WHERE size = 7')).toEqual([[million]]);
    tree.database.close();
  });
});
