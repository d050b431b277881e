import { expect, test } from 'vitest';
import { isConflict } from '../../src/merge/markers.ts';
import { markOwnEdits } from '../../src/merge/own-edits.ts';

const base = 'export function isGood(text: string) {\n  return text.length > 7;\n}\n';

test('each place that was edited is a conflict with what it was made from', () => {
  const mine = base.replace('7', '11');
  expect(markOwnEdits({ base, mine }).filter(isConflict)).toEqual([
    {
      where: [],
      base: '  return text.length > 7;\n',
      mine: '  return text.length > 11;\n',
      theirs: '',
    },
  ]);
});

test('what only a formatter changed is none', () => {
  const mine = base.replace('7;', '7');
  expect(markOwnEdits({ base, mine }).filter(isConflict)).toEqual([]);
});
