import { expect, test } from 'vitest';
import { isInside } from '../../src/commands/regenerate/next-steps.ts';

test.each([
  ['/projects/shop', true],
  ['/projects/shop/src/posts', true],
  ['/projects/shop/..drafts', true],
  ['/projects', false],
  ['/projects/shops', false],
  ['/', false],
])('steps in /projects/shop need no `cd` from %s: %s', (place, expected) => {
  expect(isInside(place, '/projects/shop')).toBe(expected);
});
