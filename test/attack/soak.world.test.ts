import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtApp } from '../support/built-app.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { chanceOf } from './support/chance.ts';
import { meet, type Meeting } from './support/people.ts';
import { bars, riseOf, soak } from './support/soak.ts';
import { startWatched } from './support/watched-server.ts';

const count = trials({ quick: 1000, full: 3000, deep: 1_000_000 });

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let meeting: Meeting;

  beforeAll(async () => {
    const app = await builtApp('blog', engine);
    const chance = chanceOf(searchSeed());
    meeting = await meet(app, await startWatched(app), { roles: ['user', 'editor'], chance });
  });
  afterAll(() => meeting.end());

  test('a server after a long day is as it was before', async () => {
    const begun = performance.now();
    const parts = await soak(meeting, { chance: chanceOf(searchSeed() + 1), count });
    const rate = Math.round(count / ((performance.now() - begun) / 1000));
    // What is compiled and cached on first use is not a leak.
    const later = parts.slice(2);
    const heap = later.map(({ figures }) => figures.heapMegabytes);
    const descriptors = later.map(({ figures }) => figures.descriptors);
    say(`${engine}: ${count} mixed requests, ${rate} a second; ten parts of it:`);
    say(
      bars(
        'median ms',
        parts.map(({ median }) => median),
      ),
    );
    say(
      bars(
        '99 of 100 below, ms',
        parts.map(({ slow }) => slow),
      ),
    );
    say(
      bars(
        'resident MB',
        parts.map(({ figures }) => figures.rssMegabytes),
      ),
    );
    say(
      bars(
        'heap MB',
        parts.map(({ figures }) => figures.heapMegabytes),
      ),
    );
    say(
      `the heap rose by ${riseOf(heap).toFixed(2)} MB, descriptors from ${descriptors[0]} to ${descriptors.at(-1)}`,
    );

    expect(riseOf(heap)).toBeLessThan(10);
    expect(riseOf(descriptors)).toBeLessThan(10);
    const [first, last] = [later[0]?.median ?? 0, later.at(-1)?.median ?? 0];
    expect(last).toBeLessThan(3 * first + 20);
  });
});

test('the rise of a series is measured', () => {
  expect(riseOf([5, 5, 5])).toBe(0);
  expect(riseOf([1, 2, 3, 4])).toBeCloseTo(3);
});
