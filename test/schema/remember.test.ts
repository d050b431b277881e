import { expect, test } from 'vitest';
import { remember } from '../../src/remember.ts';

test('of each text what was read first is given again, as long as few others came between', () => {
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
