import { expect, test } from 'vitest';
import { newUuid } from '../templates/app/src/database/uuid.ts';
import { isUrl } from '../fixtures/apps/blog/sqlite/src/database/values.ts';

test('a URL counts as one however often it is checked', () => {
  const url = 'https://ä.example/ö';
  const asked = Array.from({ length: 100_000 }, () => isUrl(url));
  expect(asked.indexOf(false)).toBe(-1);
});

test.each(['https://', 'ftp://example.com', 'https://a b', 'https://[::1', 'example.com'])(
  '%s is not a URL',
  (text) => {
    expect(isUrl(text)).toBe(false);
  },
);

test('uuids sort in the order in which they were made, however many are made in a millisecond', () => {
  const made = Array.from({ length: 20_000 }, newUuid);
  expect(made.findIndex((uuid, at) => uuid < (made[at - 1] ?? ''))).toBe(-1);
  expect(new Set(made).size).toBe(made.length);
  for (const uuid of made.slice(-5)) {
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});
