import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatProblems } from '../../src/schema/problem.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { isDeep, isFull, searchSeed, trials } from '../support/trials.ts';
import { blog } from './blog.ts';

const letters = 'aeiorstn_';

/** Of the slips and of the values, one in so many. */
const step = isDeep ? 1 : isFull ? 3 : 12;

test('a single slip in a word of the schema is answered with the word that was meant', () => {
  const told: { word: string; written: string; help: string | undefined }[] = [];
  for (const { word, start } of wordsOf(blog)) {
    for (const written of everyNth(slipsOf(word), step)) {
      const text = blog.slice(0, start) + written + blog.slice(start + word.length);
      const { line, column } = placeOf(text, start);
      const problem = parseSchema(text).problems.find(
        ({ position }) => position.line === line && position.column === column,
      );
      // A slip in a name that the schema itself gives is another name, and no problem there.
      if (problem !== undefined && problem.code !== 'SCF101')
        told.push({ word, written, help: problem.help });
    }
  }
  const wrong = told.filter(
    ({ word, help }) => help?.startsWith(`did you mean \`${word}\``) !== true,
  );
  expect(told.length).toBeGreaterThan(900 / step);
  expect(1 - wrong.length / told.length, JSON.stringify(wrong.slice(0, 40))).toBeGreaterThan(0.95);
});

test('whatever the bytes, the answer is a schema or problems with places in the file', () => {
  fc.assert(
    fc.property(mutated(blog), (text) => expectSoundAnswer(text)),
    { numRuns: trials({ quick: 20, full: 240, deep: 6000 }), seed: searchSeed() },
  );
});

test('whatever the text, the answer is a schema or problems with places in the file', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => expectSoundAnswer(text)),
    { numRuns: trials({ quick: 10, full: 120, deep: 3000 }), seed: searchSeed() },
  );
});

test('whatever a value is replaced by, nothing is thrown', () => {
  const values = blog.split('\n').flatMap((line, index) => (/: \S/.test(line) ? [index] : []));
  const odd = [
    '',
    'null',
    '[]',
    '{}',
    '3',
    'true',
    '"\\u0000"',
    '-1e999',
    '[[[]]]',
    '{ a: { b: [c] } }',
    '*x',
    '!t x',
    '""',
    '"a\\nb"',
    '~',
    '.nan',
  ];
  for (const index of everyNth(values, step)) {
    for (const value of odd) {
      const lines = blog.split('\n');
      lines[index] = (lines[index] ?? '').replace(/: \S.*$/, `: ${value}`);
      expectSoundAnswer(lines.join('\n'));
    }
  }
});

function everyNth<T>(list: readonly T[], nth: number): readonly T[] {
  return list.filter((_, at) => at % nth === 0);
}

function expectSoundAnswer(text: string): void {
  const { schema, problems } = parseSchema(text);
  expect(schema === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
  const lines = text.split('\n');
  for (const { position, message } of problems) {
    const line = lines[position.line - 1];
    expect(line, message).toBeDefined();
    expect(position.column, message).toBeGreaterThan(0);
    expect(position.column, message).toBeLessThanOrEqual([...(line ?? '')].length + 1);
    expect(position.length, message).toBeGreaterThan(0);
  }
  const printed = formatProblems(problems, { text, file: 'schema.yaml' });
  expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Control}|\p{Surrogate}/u);
}

/** The text with some of its bytes replaced, removed or doubled. */
function mutated(text: string): fc.Arbitrary<string> {
  const bytes = Buffer.from(text);
  const change = fc.record({
    at: fc.nat({ max: bytes.length - 1 }),
    remove: fc.nat({ max: 12 }),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc
        .constantFrom(...'[]{}:,-#&*!|>%@`"\'\n\t ?=()^'.split(''))
        .map((character) => Buffer.from(character)),
    ),
  });
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    let result = bytes;
    for (const { at, remove, insert } of changes) {
      const start = Math.min(at, result.length);
      result = Buffer.concat([result.subarray(0, start), insert, result.subarray(start + remove)]);
    }
    return result.toString('utf8');
  });
}

function wordsOf(text: string): { word: string; start: number }[] {
  return [...text.matchAll(/#.*|[A-Za-z_]{2,}/g)]
    .filter(([word]) => !word.startsWith('#'))
    .map(({ 0: word, index }) => ({ word, start: index }));
}

/** One letter left out, doubled, swapped with the next or replaced. */
function slipsOf(word: string): string[] {
  const slips = [...word].flatMap((letter, at) => [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + (word[at + 1] ?? '') + letter + word.slice(at + 2),
    word.slice(0, at) + letters.charAt((at + word.length) % letters.length) + word.slice(at + 1),
  ]);
  return [...new Set(slips)].filter((slip, at) => slip !== word && slip !== '' && at % 2 === 0);
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
