import { expect, test } from 'vitest';
import { isInside } from '../../src/commands/regenerate/next-steps.ts';

test.each([
  ['/work/shop', true],
  ['/work/shop/src/posts', true],
  ['/work/shop/..drafts', true],
  ['/work', false],
  ['/work/shops', false],
  ['/', false],
])('steps in /work/shop need no `cd` from %s: %s', (place, expected) => {
  expect(isInside(place, '/work/shop')).toBe(expected);
});
