import { expect, test } from 'vitest';
import { renameSteps } from '../../src/evolve/sql/renames.ts';

test.each([
  ['nothing', 'a=a', ''],
  ['each name by itself', 'a=b c=d', 'a=b c=d'],
  ['a chain from its end', 'a=b b=c c=d', 'c=d b=c a=b'],
  ['a circle by way of a temporary name', 'a=b b=a', 'a=a__aside b=a a__aside=b'],
  ['a circle beside a chain', 'a=b b=a c=a2', 'c=a2 a=a__aside b=a a__aside=b'],
  ['names that differ only in case', 'title=Title', 'title=title__aside title__aside=Title'],
])('renames %s', (_, wanted, steps) => {
  const renames = wanted.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('=');
    return { from, to };
  });
  expect(
    renameSteps(renames)
      .map(({ from, to }) => `${from}=${to}`)
      .join(' '),
  ).toBe(steps);
});
