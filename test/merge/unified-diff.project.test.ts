import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../src/merge/text.ts';
import { scratchFolder } from '../support/scratch.ts';

const novel = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');

test('a change is shown with three lines around it', () => {
  const after = novel.replace('line 10\n', 'line ten\nand a half\n');
  expect(unifiedDiff(novel, after)).toBe(
    [
      '@@ -7,7 +7,8 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+line ten',
      '+and a half',
      ' line 11',
      ' line 12',
      ' line 13',
      '',
    ].join('\n'),
  );
});

test('texts that are the same have none', () => {
  expect(unifiedDiff(novel, novel)).toBe('');
  expect(unifiedDiff('', '')).toBe('');
});

test('`git apply` turns the first text into the second, whatever they are', async () => {
  const folder = await scratchFolder('diff');
  const file = join(folder, 'text');
  const apply = (before: string, after: string) => {
    writeFileSync(file, before);
    const input = `--- a/text\n+++ b/text\n${unifiedDiff(before, after)}`;
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input });
    return readFileSync(file, 'utf8');
  };
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n'), { minLength: 1, maxLength: 30 })
    .chain((lines) => fc.constantFrom('', 'e').map((last) => lines.join('') + last));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      return apply(before, after) === after;
    }),
    { numRuns: 60, seed: 7 },
  );
});
