import { expect, test } from 'vitest';
import { isUrl } from '../templates/app/src/database/values.ts';

test('a URL is one however often it was asked', () => {
  const url = 'https://ä.example/ö';
  const asked = Array.from({ length: 100_000 }, () => isUrl(url));
  expect(asked.indexOf(false)).toBe(-1);
});

test.each(['https://', 'ftp://example.com', 'https://a b', 'https://[::1', 'example.com'])(
  '%s is no URL',
  (text) => {
    expect(isUrl(text)).toBe(false);
  },
);
