import { expect, test } from 'vitest';
import { remember } from '../../src/remember.ts';

test('a text is read only once, as long as few others come between', () => {
  const read: string[] = [];
  const lengthOf = remember((text) => {
    read.push(text);
    return { length: text.length };
  });
  expect(lengthOf('a')).toBe(lengthOf('a'));
  const others = Array.from({ length: 30 }, (_, index) => `${index}`);
  for (const text of [...others, 'a', 'a']) lengthOf(text);
  expect(read).toEqual(['a', ...others, 'a']);
});
