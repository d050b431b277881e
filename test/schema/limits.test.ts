import { expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { cpuSeconds } from '../support/cpu-seconds.ts';
import { isFull } from '../support/trials.ts';

const head = 'version: 1\napp: { name: blog }\n';

test('a file over 1 MiB is not even parsed', () => {
  const text = `${head}# ${'x'.repeat(1024 * 1024)}\n`;
  expect(parseSchema(text).problems).toMatchObject([{ code: 'SCF112' }]);
  expect(codesOf(text.slice(0, 1024 * 1024))).toEqual([]);
});

/** A full run builds them as high as a file may be. */
const share = isFull ? 1 : 0.2;

test.each([
  ['brackets', '['.repeat(400_000 * share)],
  ['dashes', '- '.repeat(300_000 * share)],
  ['braces', '{a: '.repeat(200_000 * share)],
  ['question marks', '? '.repeat(100_000 * share)],
  [
    'parentheses in a pattern',
    `models: { A: { fields: { a: { type: string, pattern: "${'('.repeat(100_000)}" } } } }`,
  ],
])('a tower of %s is refused, not climbed', (_, tower) => {
  const climb = () => expect(codesOf(`${head}${tower}`).length).toBeGreaterThan(0);
  expect(cpuSeconds(climb)).toBeLessThan(30);
});

test('aliases that would expand to a billion values cost nothing', () => {
  const lines = ['x-0: &a0 [a, b]'];
  for (let level = 1; level < 30; level++) {
    lines.push(`x-${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
  }
  const expand = () => expect(codesOf(`${head}${lines.join('\n')}\n`)).toContain('SCF114');
  expect(cpuSeconds(expand)).toBeLessThan(30);
});

test('a schema of 300 models with 6,000 fields is parsed in seconds, not in minutes', () => {
  const models = Array.from(
    { length: 300 },
    (_model, at) =>
      `  Model${at}: { fields: { ${Array.from({ length: 20 }, (_field, field) => `f${field}: "string(1..80)? index"`).join(', ')} }, relations: { author: User } }`,
  );
  const parse = () => expect(codesOf(`${head}models:\n${models.join('\n')}\n`)).toEqual([]);
  expect(cpuSeconds(parse)).toBeLessThan(30);
});

function codesOf(text: string): string[] {
  return parseSchema(text).problems.map(({ code }) => code);
}
