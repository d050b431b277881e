import { expect, test } from 'vitest';
import { offsetAt } from '../../src/commands/regenerate/semantic/places.ts';
import { takeTheirsInPlace } from '../../src/merge/markers.ts';

test.each([
  ['const title = 1;\n', { line: 1, column: 7 }],
  ['\uFEFFconst title = 1;\r\n', { line: 1, column: 7 }],
  ['\r\n\r\nconst title = 1;\r\n', { line: 3, column: 7 }],
  ["const a = '😀'; title;", { line: 1, column: 17 }],
])('the place of `title` in %j', (text, place) => {
  expect(text.slice(offsetAt(text, place))).toMatch(/^title/);
});

test('a conflict with its new side taken keeps its lines', () => {
  const marked = 'a\n<<<<<<< yours\nb\n||||||| base\nc\n=======\nd\n>>>>>>> scaffold\ne\n';
  expect(takeTheirsInPlace(marked)).toBe('a\n\n\n\n\n\nd\n\ne\n');
  const onWindows = takeTheirsInPlace(marked.replaceAll('\n', '\r\n'));
  expect(onWindows.replaceAll('\r', '')).toBe('a\n\n\n\n\n\nd\n\ne\n');
});
