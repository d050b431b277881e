import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorsPage, errorsPageFile } from './errors-page.ts';

test('docs/errors.md says what `explain` says', async () => {
  expect(readFileSync(errorsPageFile, 'utf8')).toBe(await errorsPage());
});

test('every code is in one of its sections', async () => {
  const headings = [...(await errorsPage()).matchAll(/^### (SCF\d{3})$/gm)].map(([, code]) => code);
  expect(new Set(headings).size).toBe(headings.length);
  expect(headings.length).toBeGreaterThan(60);
});
