import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPatternFlaw } from '../../src/patterns/flaw.ts';
import { cpuSeconds } from '../support/cpu-seconds.ts';
import { searchSeed, trials } from '../support/trials.ts';

describe('patterns that are quick on every text', () => {
  test.each([
    '',
    'abc',
    '^$',
    String.raw`\d+`,
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '^#[0-9a-f]{6}$',
    '^(GET|POST|PUT)$',
    '^(a|b|c)*$',
    String.raw`^\+?[0-9 ()-]{7,20}$`,
    String.raw`^(?=.*\d)(?=.*[a-z]).{8,72}$`,
    '^(?!.*--)[a-z-]+$',
    String.raw`^https?://[^\s/]+(/[^\s]*)?$`,
    String.raw`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`,
    String.raw`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$`,
    String.raw`^\p{Lu}\p{Ll}*( \p{Lu}\p{Ll}*)*$`,
    String.raw`^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}`,
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  ])('%s', (pattern) => expect(findPatternFlaw(pattern)).toBeUndefined());
});

describe('patterns that double their time with each character', () => {
  test.each([
    '(a+)+$',
    '^(a*)*$',
    '^((a*)*)*$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^(a|ab|b)*$',
    String.raw`^(\w+\s?)*$`,
    String.raw`^(\d+)*$`,
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?:x+x+)+y',
    '(?=(a+)+$)b',
    '^(a{1,20})+$',
    '^(a{0,9})*$',
    '^(é|[à-ü])+$',
    String.raw`^(\p{L}|\p{Lu})+$`,
  ])('%s', (pattern) => expect(findPatternFlaw(pattern)).toMatchObject({ code: 'SCF209' }));
});

describe('patterns whose time grows with some power of the length of the text', () => {
  test.each([
    '[a-z]+$',
    'x*y',
    String.raw`^\d+\d+$`,
    String.raw`^\s*(.*)\s*$`,
    '.*.*=',
    '^.+@.+$',
    '^[a-z]{1,5000}[a-z]{1,5000}$',
  ])('%s', (pattern) => expect(findPatternFlaw(pattern)).toMatchObject({ code: 'SCF209' }));

  test.each(['^[a-z]{1,40}[a-z0-9]{1,40}$', '[a-z]{1,60}$', '^([a-z]{1,20} ?){0,3}$'])(
    '%s has bounds of its own',
    (pattern) => expect(findPatternFlaw(pattern)).toBeUndefined(),
  );
});

test.each([
  '[',
  'a{3,1}',
  String.raw`\-`,
  '(?<n>a)(?<n>b)',
  '(',
  String.raw`\p{Nonsense}`,
  '(?i:a)',
  'x'.repeat(1001),
])('%s is not a pattern', (pattern) =>
  expect(findPatternFlaw(pattern)).toMatchObject({ code: 'SCF208' }),
);

test('a back-reference has no bound', () => {
  expect(findPatternFlaw(String.raw`^(.)\1$`)).toMatchObject({ code: 'SCF209' });
});

test('a pattern made to confuse the judge is refused in time', () => {
  const ways = Array.from({ length: 150 }, () => '[abc]').join('|');
  const judge = () => expect(findPatternFlaw(`^(${ways})*$`)).toMatchObject({ code: 'SCF209' });
  expect(cpuSeconds(judge)).toBeLessThan(30);
});

test('no accepted pattern is slow on a text made to slow it down', () => {
  fc.assert(
    fc.property(
      expression,
      fc.subarray(['a', 'b', 'ab', 'ba', 'aab'], { minLength: 1 }),
      (pattern, pumps) => {
        fc.pre(findPatternFlaw(`^${pattern}$`) === undefined);
        const regex = new RegExp(`^${pattern}$`, 'u');
        for (const pump of pumps) {
          const seconds = cpuSeconds(() => {
            for (const head of ['', 'a', 'b']) regex.test(`${head}${pump.repeat(26)}!`);
            regex.test(`${pump.repeat(4000)}!`);
          });
          expect(seconds, `${pattern} against ${pump}`).toBeLessThan(5);
        }
      },
    ),
    { numRuns: trials({ quick: 80, full: 160, deep: 4000 }), seed: searchSeed() },
  );
});

const { expression } = fc.letrec<{ expression: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', '[ab]', '.', '', 'aa', '^', '$'),
    tie('expression').map((inner) => `(?:${inner})`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(?:${left}|${right})`),
    tie('expression').map((inner) => `(?=${inner})`),
  ),
  expression: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2,3}', '*?', '{0,20}')), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) =>
      parts
        .map(([atom, times]) => (/^$|^[\^$]$/.test(atom) ? atom : `(?:${atom})${times}`))
        .join(''),
    ),
}));
