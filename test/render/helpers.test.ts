import { describe, expect, test } from 'vitest';
import { code, tsKey, tsString, tsValue } from '../../src/render/typescript.ts';
import { comment, helpers, jsonString, markdown } from '../../src/render/helpers.ts';
import { hostile } from './hostile.ts';

describe.each(hostile)('%j', (text) => {
  test('is the same string in TypeScript', () => {
    expect(evaluate(tsString(text))).toBe(text);
    expect(tsString(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202E\uFEFF]/u);
  });

  test('is the same property name in TypeScript', () => {
    const made = evaluate(`({ ${tsKey(text)}: 1 })`);
    expect(Object.entries(Object(made))).toEqual([[text, 1]]);
  });

  test('is the same in JSON', () => {
    expect(JSON.parse(jsonString(text))).toBe(text);
  });

  test('neither ends a comment nor instructs a tool', () => {
    const printed = comment(text);
    expect(printed).not.toMatch(/\*\/|[\n\r\u2028\u2029]|(^|\s)@/);
    expect(evaluate(`/** ${printed} */ 1 // ${printed}`)).toBe(1);
  });

  test('is a piece of prose in Markdown', () => {
    const printed = markdown(text);
    expect(printed).not.toMatch(/\n|(?<!\\)[`*_[\]<>|]|^(#|-|\d+\.)/);
  });
});

test.each([
  ['null', null],
  ['a list of nothing', []],
  ['nested', { a: [1, 'two', { three: null }], 'b-c': { __proto__x: true } }],
  ['a key that would be the prototype', JSON.parse('{"__proto__": {"a": 1}}')],
  ['numbers', [-1, 0.5, 1e21, 1e-7]],
])('%s is the same value in TypeScript', (_, value) => {
  expect(JSON.stringify(evaluate(`(${tsValue(value)})`))).toBe(JSON.stringify(value));
});

test('a template prints names and printed code plainly, and nothing else', () => {
  expect(helpers.plain('blogPosts')).toBe('blogPosts');
  expect(helpers.plain('blog post')).toBe('blog post');
  expect(helpers.plain(code('a | b'))).toBe('a | b');
  for (const text of ["it's", 'a | b', '*/', 'a\nb', '{}', '`', undefined, null, {}]) {
    expect(() => helpers.plain(text)).toThrow('without an escaping helper');
  }
});

/** In a module's strictness, so that octal escapes and the like are errors. */
function evaluate(expression: string): unknown {
  return new Function(`'use strict'; return ${expression}`)();
}
